"""What comes in by itself: web requests and watched folders. Empty until the first of them is built."""
