"""The section Settings: who carries messages, their keys and connections, and going live."""
