"""The names that practices give to the columns of a list of people, and the field that each means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.domain.people_text import fold_heading
from app.domain.spreadsheet_columns import ColumnRead, choose_columns

FIELDS = (
    "first_name",
    "last_name",
    "name",
    "phone",
    "alt_phone",
    "phone_ext",
    "email",
    "last_visit",
    "do_not_contact",
    "may_contact",
    "status",
    "source",
    "tags",
    "location",
)
"""The fields of a person that a column may be. `name`: first and last in one; `may_contact`: do_not_contact turned."""

_WORDS: Mapping[str, str] = {
    "first_name": """first name|first|firstname|fname|given name|given|forename|given names|christian name|prenom
        |primer nombre|vorname|rufname|nome proprio|primeiro nome|voornaam|fornamn|fornavn|etunimi|imie|名""",
    "last_name": """last name|last|lastname|lname|surname|family name|family|second name|nom de famille|apellido
        |apellidos|primer apellido|nachname|familienname|zuname|cognome|sobrenome|apelido|ultimo nome|achternaam
        |efternamn|etternavn|efternavn|sukunimi|nazwisko|姓""",
    "name": """name|full name|fullname|names|display name|contact|contact name|client|client name|client full name
        |customer|customer name|patient|patient name|patient full name|lead|lead name|person|member|member name|guest
        |guest name|owner|owner name|pet owner|parent|parent name|guardian|attendee|subscriber|prospect|prospect name
        |student|student name|resident|homeowner|account name|nom|nom complet|nom et prenom|client e
        |nombre|nombre completo|nombre y apellidos|cliente|paciente|vollstandiger name|kunde|kundenname|patientenname
        |nome|nome completo|nome e cognome|naam|volledige naam|klant|namn|navn|nimi|imie i nazwisko|名前|氏名|姓名""",
    "phone": """phone|phones|phone number|phone numbers|phone no|phone nr|phone num|phonenumber|ph|ph no|telephone
        |telephone number|telephone no|tel|tel no|tel nr|tel number|telno|mobile|mobile phone|mobile number|mobile no
        |mobile telephone|mob|cell|cell phone|cellphone|cell number|cell no|cellular|home phone|home number|home tel
        |home telephone|home|work phone|work number|work tel|business phone|office phone|day phone|daytime phone
        |evening phone|day time phone|main phone|primary phone|primary phone number|preferred phone|best phone
        |contact phone|contact number|contact no|contact tel|client phone|customer phone|patient phone|lead phone
        |phone home|phone mobile|phone cell|phone work|sms|sms number|text number|number to text
        |whatsapp|whatsapp number|telefono|numero de telefono|telefono movil|telefono celular|movil|celular|tlf|tfno
        |telefon|telefonnummer|telefonnr|tel nummer|rufnummer|handy|handynummer|mobil|mobilnummer|mobiltelefon
        |mobilfunk|festnetz|portable|mobile personnel|telephone portable|telephone mobile|telephone fixe
        |numero de telephone|no de telephone|no telephone|cellulaire|cellulare|numero di telefono
        |telefone|telemovel|numero de telefone|fone|telefoon|telefoonnummer|gsm|mobiel|mobiele telefoon|mobilnr
        |puhelin|komorka|numer telefonu|電話|電話番号|手机|电话""",
    "alt_phone": """alt phone|alternate phone|alternative phone|alternate number|other phone|other number|second phone
        |secondary phone|secondary phone number|secondary number|additional phone|backup phone|phone 2|phone2|phone 3
        |autre telephone|otro telefono|weitere telefonnummer""",
    "phone_ext": "ext|extension|phone ext|phone extension|extn|poste|durchwahl",
    "email": """email|e mail|mail|email address|e mail address|mail address|emailaddress|emails|email id
        |primary email|secondary email|alternate email|other email|preferred email|work email
        |home email|personal email|contact email|client email|customer email|patient email|lead email|courriel
        |courrier electronique|adresse courriel|adresse e mail|adresse email|adresse mail|adresse electronique
        |correo|correo electronico|email del cliente|e mail adresse|emailadresse|mailadresse|elektronische post
        |posta elettronica|indirizzo email|indirizzo e mail|endereco de email|e mailadres|emailadres|e post|epost
        |sahkoposti|adres e mail|メール|メールアドレス|邮箱""",
    "last_visit": """last visit|last visit date|date of last visit|last visited|last seen|last seen date|last seen on
        |last appointment|last appointment date|last appt|last appt date|last service|last service date|last treatment
        |last treatment date|last job|last job date|last booking|most recent visit|most recent appointment|latest visit
        |previous visit|prior visit|recent visit|visit date|last exam|last exam date|last cleaning|last checkup
        |last check up|last attended|last came in|derniere visite|date derniere visite|date de derniere visite
        |dernier rendez vous|dernier rdv|derniere consultation|ultima visita|fecha de ultima visita
        |fecha ultima visita|ultima cita|ultima consulta|letzter besuch|letzter termin|letzte behandlung
        |datum letzter besuch|ultimo appuntamento|data ultima visita|laatste bezoek|laatste afspraak|senaste besok
        |siste besok|sidste besog|ostatnia wizyta""",
    "do_not_contact": """do not contact|dnc|do not call|do not text|do not email|do not mail|do not message
        |do not disturb|dont contact|dont call|no contact|no marketing|no calls|no texts|no emails|opt out|optout
        |opted out|optedout|unsubscribed|unsubscribe|has unsubscribed|suppressed|blacklist|blacklisted|blocked
        |stop contact|ne pas contacter|desabonne|desinscrit|no contactar|no molestar|nicht kontaktieren
        |kontaktsperre|werbesperre|abgemeldet|non contattare|nao contatar|niet contacteren|kontakta inte""",
    "may_contact": """ok to contact|okay to contact|may contact|can contact|contact ok|contact allowed|allow contact
        |contactable|permission to contact""",
    "status": """status|person status|lead status|client status|customer status|patient status|stage|lead stage
        |statut|estado|stato|situacao""",
    "source": """source|lead source|referral source|referred by|referral|how did you hear about us|how heard|came from
        |origin|origine|origen|fuente|quelle|herkunft|herkomst|utm source""",
    "tags": "tags|tag|labels|label|etiquettes|etiquetas|schlagworter|schlagworte|etichette",
    "location": """location|clinic|branch|office|site|practice location|location name|clinic name|branch name|store
        |shop|emplacement|clinique|cabinet|succursale|sucursal|ubicacion|clinica|standort|filiale|praxis|sede|vestiging
        |locatie""",
}
HEADINGS: Mapping[str, str] = {
    fold_heading(word): field for field, words in _WORDS.items() for word in words.split("|")
}
"""Folded heading -> field."""

# words for a whole name that mean one half of it beside a column for the other half: Nom, Prénom; Name, Vorname
_HALF_NAMES = frozenset({"name", "names", "nom", "nombre", "nome", "naam", "namn", "navn", "nimi"})


def people_columns(header: Sequence[str], mapping: Mapping[str, str]) -> tuple[ColumnRead, ...]:
    """Each column of a list of people with the field it is read as. Raises OperatorError for a wrong mapping."""
    columns = choose_columns(header, HEADINGS, FIELDS, mapping, custom=True)
    present = {column.field for column in columns}
    if "first_name" in present and "last_name" not in present:
        half = "last_name"
    elif "last_name" in present and "first_name" not in present:
        half = "first_name"
    else:
        return columns
    return tuple(
        replace(column, field=half)
        if column.field == "name" and not column.mapped and fold_heading(column.name) in _HALF_NAMES
        else column
        for column in columns
    )


def known_headings(mapping: Mapping[str, str]) -> frozenset[str]:
    """Every name that tells a row of headings from a title: the guessed ones and those that staff mapped."""
    return frozenset(HEADINGS) | {fold_heading(column) for column in mapping} - {""}
