"""What else is said in English about messages, as data; the requests are in text_reply_english_requests.py."""

from __future__ import annotations

from app.domain.text_reply_english_requests import ABOUT, REQUESTS, SETS, WEAK
from app.domain.text_reply_grammar import Grammar

CONTRASTS = (
    "(?:instead of|rather than)",
    "(?:start|try|use) (?:emailing|calling|texting|email|e mail)",
    "(?:email|call|mail|phone|text) (?:me|us) instead",
    "^ (?:just |please |but )?(?:email|call|mail|phone|text) (?:me|us) $",
)

INSTEADS = (
    "^ (?:please |just |kindly )?(?:email|mail) me instead $",
    "(?:can|could|would|will) you (?:please |just )?(?:email|mail) me instead $",
)

LIMITS = (
    "after|before|until|till|til|past \\d\\w*|noon|midnight|work|school|dinner|lunch|dark|hours|bedtime|the|my|"
    "i|we|next|monday|tuesday"
    "|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|"
    "october|november|december|then|tomorrow",
    "at \\d\\w* ",
    "at night|nights|midnight|dinner|lunch|bedtime|dawn|noon|lunchtime|dinnertime",
    "between|from \\d\\w*",
    "during|while|whilst ",
    "on|over|every|each|only (?:the|a)~ weekend|weekday|monday|tuesday|wednesday|thursday|friday|saturday|"
    "sunday|holiday|shabbat",
    "weekends|weekdays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|holidays",
    "weekend|weekday|morning|evening|night|late {msg}",
    "in the mornings?|evenings?|afternoons?|middle",
    "so|too|this|that early|late|often|much|many|frequently",
    "early|late in|at",
    "less|(?:more than)|(?:as often)|frequent|frequently|once|twice",
    "every|each|\\d+|several|three|two|five|ten|multiple|many days?|hours?|times|weeks?|few|single",
    "once|twice|times a|per day|week|month|year",
    "daily|nightly|hourly|constantly (?:twice|texts?|messages?|reminders?|emails?|calls?)",
    "(?:today|tomorrow|tonight|yet) $",
    "back ",
    "for now|today|(?:the moment)|(?:a while)|(?:a bit)",
    "this|next week|month|weekend|morning|afternoon|evening",
    "for|about|regarding|concerning (?:the|my|his|her|a|an|any|this|that|these)~ _2 results?|labs?|"
    "appointments?|appt|visit|"
    "invoice|bill|billing|payment|surgery|cleaning|quote|estimate|job|order|insurance",
    "(?:when|until) (?:the|you|i|my|it|we) ",
)

EXCEPTIONS = (
    "unless|except|besides|(?:other than)|(?:apart from)",
    "only|just (?:if|when|about|for|by|appointment|appointments|visit|confirmations?|reminders|important|"
    "urgent|emergencies|send|text|call|email) ",
    "if|when (?:its )?(?:not )?(?:an? )?(?:urgent|emergency|important)",
    "(?:but|and) (?:please )?(?:keep|still|continue) _4 (?:appointments?|reminders|confirmations|visit)",
    "(?:appointment|visit|reminders?) (?:reminders |texts )?(?:are|is) (?:fine|ok|okay|good|great|useful)",
    "(?:text|call|email|message|ring|write) (?:me|us) (?:when|if|once|as soon|before|after) ",
    "im (?:still |just )?(?:in|at|driving|busy|asleep|sleeping|working|teaching) ",
    "(?:only|just) (?:the|my|for) \\w+ $",
    "on vacation",
)

PLACES = (
    "at (?:my|the|our)~ (?:work|home|office|job|school)",
    "at|on this|that|my|our|the _1 number|phone|line|cell|landline|mobile",
    "(?:my|the|our|his|her) (?:work|office|business|company|landline|job|school|desk) (?:phone|number|cell|"
    "line|email|mobile)",
    "(?:this is|its) (?:a|my|our|the|his|her) (?:work|business|office|company|landline|job|school|shared)",
)

KEPT = (
    "(?:dont|never|wont|shouldnt) (?:ever |you |please |you ever )?(?:stop|quit|unsubscribe|unsub|end|"
    "discontinue|cancel) _1 ",
    "(?:dont|never) (?:ever |please )?(?:remove|delete|take|drop|cut) (?:me|us|my number|my name|this number|"
    "him|her) (?:off|out)~",
    "(?:dont|never|didnt|not|wasnt|wouldnt) (?:want|like|wish|need|mean|meant|intend|trying|going) (?:you "
    ")?(?:to|for you to) (?:ever )?(?:stop|quit|unsubscribe|unsub|end|opt|cancel|be (?:removed|taken|deleted|"
    "dropped|unsubscribed)|get (?:removed|off)|lose|text stop|send stop|leave) _1 ",
    "(?:i )?(?:sent|texted|replied|said|typed|wrote|hit|pressed) (?:stop|unsubscribe|quit|cancel|end) _1 (?:by|"
    "in) (?:mistake|accident|error)",
    "(?:accidentally|mistakenly|accidently) _2 (?:sent|texted|replied|said|typed|wrote|hit|unsubscribed|stopped|opted)",
    "(?:if|when) i (?:text|reply|send|say|type) (?:stop|unsubscribe|quit|cancel|end) _4 (?:will|do|does|would|can)",
    "(?:will|do|does|would) _4 (?:if|when) i (?:text|reply|send|say|type) (?:stop|unsubscribe|quit|cancel|end)",
    "(?:why|did|have|has|when|how come) (?:did |have |has |do )?(?:you|u|they|it|the \\w+|your \\w+|my \\w+) "
    "_2 (?:stop|stopped|quit)",
    "noticed _2 stopped",
    "^ (?:please |pls )?(?:keep|continue) to~ _3 (?:{doing}|{msg}|coming)",
)

FRAMES = ("you", "u", "yall", "they", "why", "if", "it", "he", "she", "people", "who", "cant")

STRANGERS = (
    "wrong (?:phone |cell )?(?:number|nmber|numer|numbr)",
    "wrong (?:person|phone|guy|lady|man|woman|contact|patient|client|people|house) $",
    "not the (?:right |correct |same |intended )?(?:right|correct|same|intended|person|number|guy|recipient) "
    "(?:person|number|guy|recipient|one|you)~",
    "(?:im|its|thats|this isnt|isnt) not~ (?:that|the|your|a|this) (?:person|patient|client|customer|guy|woman|"
    "man|lady) (?:you|u|here|there|anymore|of|at)~ ",
    "(?:im|were) (?:not|no longer) (?:a |your |the )?(?:patient|client|customer|member)s? ",
    "(?:never|not) been (?:a|your|to your) (?:patient|client|customer|member|office|clinic)",
    "not my name",
    "my name (?:isnt|is not|aint) (?!on|in|spelled|right|correct|showing)",
    "^ (?:thats|that is|this is|this isnt|thats definitely) not~ me $",
    "^ (?:sorry )?wrong $",
    "(?:doesnt|dont|no longer) (?:have|has|use|uses|own|owns) this (?:number|phone)",
    "(?:dont|never|doesnt) (?:even )?(?:have|had|own|owned) (?:a|any) (?:dog|cat|pet|dogs|cats|pets|car|"
    "furnace|pool|house) $",
    "(?:noone|nobody|no person|not anyone|no patient) (?:here )?(?:by|with|named|of) ",
    "(?:noone|nobody) called (?!me|us|back|to|yet|about)\\w+ ",
    "(?:there is|theres|there isnt|there s) (?:no|any|noone|nobody) (?:(?!openings?|parking|appointments?|more|"
    "way|problem|pain|rush|hurry|one|need)\\w+) (?:here|at|living)",
    "^ no (?!one|more|pain|problem|appointment|parking)\\w+ (?:here|at this number|lives) $",
    "(?:dont|never|doesnt) know (?:any|anyone|anybody|a|who|this person|that person) _3 (?!when|if|how)",
    "(?:no longer|not|isnt|never) (?:\\w+) (?:number|phone) (?!for)",
    "(?:doesnt|dont|no longer) belongs? to",
    "(?:this|the|that) (?:number|phone) (?:is|belongs|now) (?:to |not |no longer |now )?(?:someone|somebody|"
    "different|reassigned|new|mine|else|not)",
    "(?:new owner of|just got|recently got|changed|inherited|was given) (?:this|the)~ (?:phone )?number",
    "(?:confused|mixed) me (?:with|up)",
    "(?:texting|calling|messaging|reached|contacted) (?:the wrong|someone else|somebody else|a stranger|the incorrect)",
    "incorrect number",
    "not (?:who|whom) you",
    "(?:meant for|intended for|looking for) (?:someone|somebody) else",
)

DISPUTES = (
    "(?:never|didnt|dont remember|dont recall|havent|not|hadnt) (?:ever )?(?:sign|signed|signing) up (?:to|for "
    "(?:this|these|texts|text|messages|any|your|reminders|it|that|anything|marketing|spam|emails|alerts))",
    "(?:never|didnt|dont remember|havent|not) (?:ever )?(?:sign|signed|signing) up $",
    "(?:never|didnt|dont remember|havent|not) (?:ever )?(?:subscribe|subscribed|subscribing|consent|consented|"
    "consenting|(?:opt|opted|opting) in) ",
    "(?:never|didnt|havent) (?:ever )?(?:agree|agreed) to (?:this|these|receive|get|be|texts?|messages?|your|"
    "any|getting|receiving)",
    "(?:never|didnt|havent) (?:ever )?(?:ask|asked|request|requested|authorize|authorized) (?:for )?(?:these|"
    "texts?|messages?|to be|your (?:texts|messages)|you to (?:text|contact|call)|any of this)",
    "(?:never|didnt|havent) (?:ever )?(?:gave|give|given) (?:you |u |anyone |out )?(?:my (?:number|consent|"
    "permission|phone|cell)|permission|consent)",
    "(?:without my|without our|no) (?:consent|permission|approval|authorization)",
)

DEATHS = (
    "(?:passed|past) (?:away|on) ",
    "(?!(?:phone|battery|car|tooth|line|computer|laptop|cell|engine|connection|internet|signal|truck|unit|"
    "heater|furnace|ac|boiler|pump|it|nerve|wifi|aid|the|a|that|nearly|almost|drop|half|gone) )\\w++ (?:has |is |"
    "was |just |have )?(?:died|deceased|dead)",
    "no longer with us",
    "(?:lost|buried) (?:my|our) (?:husband|wife|mom|mother|dad|father|son|daughter|brother|sister|dog|cat|pet)",
    "death of (?:my|our)",
    "put (?:him|her|our \\w+|my \\w+) to sleep",
)

ABUSES = (
    "(?:this is|thats|its|youre|you are|ur|these are|all|pure|more|just) (?:all |just |a |pure |total |nothing "
    "but )?(?:spam|spamming|spammers?|scam|scammers?|harassment|harassing|phishing)",
    "^ (?:spam|scam|spammers?|scammers?|harassment) ",
    "(?:reporting|report|reported) (?:you|u|your number|this number|this as|it as|as spam)",
    "(?:sue|suing) (?:you|u)",
    "(?:stop|quit) (?:harass+ing|spamming|stalking)",
    "(?:this is|thats|its) (?:so |totally )?illegal",
    "(?:hear|hearing) from my (?:lawyer|attorney)",
    "(?:lawyer|attorney) is next",
    "(?:tcpa|fcc|ftc) ",
    "(?:block|blocked|blocking) (?:you|u|this number|your number)",
    "enough (?:is enough|already|of this|of these|with (?:the|these|your)|texts|messages|now)",
    "^ enough $",
    "^ (?:ok |okay )?enough $",
    "(?:fuck|f|screw) (?:off|you|u) ",
    "^ (?:please )?(?:bug|piss|buzz|back|bugger|sod|go|jog) (?:off|away) $",
    "^ go to hell",
    "^ (?:get lost|get bent|shut up|shut it|give it a rest|get out of my (?:life|face)|knock it off)",
    "(?:texts|messages|calls|reminders|emails|you) (?:are |is )?(?:so |very |really )?(?:annoying|harassing|"
    "driving me (?:crazy|nuts|insane))",
)

RETURNS = (
    "(?:put|add|sign|opt|subscribe|enroll|get|bring) (?:me|us|my number) (?:back|up again|again|back up|back "
    "in|back on) ",
    "(?:put|add|sign|subscribe|enroll) (?:me|us|my number) (?:on|to|up|in|for) _3 (?:{list}|{msg})",
    "(?:start|begin|resume|restart|keep|send) _2 (?:{doing}|{msg}|sending) _2 again",
    "(?:start|begin|resume|restart|reactivate|restore|enable|renew) (?:my|the|your|getting|receiving|sending)~ "
    "_2 {msg}",
    "start|resume|restart {doing} me",
    "(?:turn|switch) (?:back on|on) _2 {msg}",
    "(?:turn|switch) _3 {msg} (?:back )?on ",
    "resubscribe|reenroll|rejoin|unblock",
    "re (?:subscribe|enroll|join)",
    "(?:unsubscribed|stopped|opted out|stop|opt out) _2 (?:by|in) (?:accident|mistake|error)",
    "(?:accidentally|mistakenly|accidently) _2 (?:unsubscribed|stopped|opted|texted|sent|replied|hit|said|typed)",
    "(?:didnt|never) (?:mean|meant|intend|want) to (?:stop|unsubscribe|opt|text stop|send stop|be removed|quit)",
    "changed my mind _4 (?:{msg}|{doing})",
    "(?:want|like|love|need|wish|can|could|may|ready) (?:to |i |we |you )?(?:get|receive|hear|have|start|"
    "getting|receiving) _4 (?:{msg}|from you)",
    "(?:want|like|miss|need) (?:the|your|my|those|these|to) _2 {msg} (?:back|again)",
    "(?:text|message|contact) me again",
    "{msg} (?:again|back) ",
    "(?:come|sign|opt) back (?:in|up)",
    "opt (?:me )?(?:back )?in ",
    "you (?:can|may) (?:text|message|contact|start) me (?:again|now)",
)

AUTOMATIC = (
    "driving (?:right now )?(?:with|while) _4 (?:focus|carplay|turned)",
    "focus turned on",
    "do not disturb|dont disturb (?:while|is|mode|turned)",
    "dont disturb",
    "(?:this is an )?(?:auto|automatic|automated) (?:reply|response|message|text|generated|responder)",
    "(?:sent|generated|replied) automatically",
    "out of (?:the )?office (?:until|and|from|on|through|with)",
    "(?:im|currently) (?:driving|unavailable|away) _4 ill (?:see|reply|respond|get back|get to|read|text|call) ",
    "(?:cant|unable to) (?:talk|text|answer|take your call) _6 (?:automatic|back to you when)",
    "notifications (?:silenced|off)",
)

VISITS = (
    "appointments?|appts?|apointment|cleaning|checkup|visit|surgery|procedure|exam|consultation|consult|session|slot",
    "be there|in|early|late",
    "see (?:you|u|ya)",
    "on my way",
    "(?:waiting|cancellation) list|waitlist|schedule",
    "come|coming in|by|on|at",
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight",
    "\\d+ (?:am|pm)",
    "\\d+(?:st|nd|rd|th|am|pm)",
    "reschedule|rebook|confirm|confirmed|cancel|book|booked|running",
    "pay|paid|bill|invoice|refund|payment|balance|charge|charged",
    "call me|my",
    "email|emailing|mail|contact me|us|my",
    "start emailing|calling|using",
    "use|text|try (?:my|this|other|new|different|cell|email) ",
    "doctor|technician|crown|filling|tooth|teeth|pain|swollen|swelling|bleeding|prescription|refill|results|"
    "medicine|meds|stitches",
    "minutes|min|mins away|late",
)

BROKEN = (
    "(?:unsubscribe|unsubscribing|unsub|optout|opt out|opting out) (?:link|button|page|option|form|url|website|"
    "site|thing) _6 (?:doesnt|not|broken|isnt|fails|failed|error|dead|wont|nothing|404|down|never|didnt)",
    "(?:unsubscribe|unsubscribing|unsub) (?:doesnt|broken|isnt|fails|failed|didnt|wont|not) (?:work|working|do)~",
    "(?:unsubscribe|unsub|opt out) _5 nothing (?:happens|happened|works|worked)",
    "(?:tried|trying) (?:to |and )?(?:unsubscribe|unsubscribing|opting out|opt out|get off your list)",
    "(?:cant|couldnt|unable to|not able to|cannot|wont let me) (?:unsubscribe|opt out|get off (?:your|this|"
    "the) list) (?!of the)",
    "(?:still getting|still receiving|still get) (?:your|these|those)~ {msg}",
)

ALL = (
    "{not} (?:\\w+ ){0,2}contact",
    "{stop} (?:\\w+ )?contacting",
    "(?:everything|anything|all contact|every way|any way|all channels|all communications?|any form|any kind|"
    "whatsoever|any method|any means) ",
    "all (?:forms?|kinds?|types?) of",
)

SMS = "texts?|texting|texted|txts?|txting|sms|text messages?|txt|messag(?:es|ing)"
EMAIL = "emails?|emailing|e mails?|emailed|newsletters?|inbox|emal?ing"
CALL = "calls?|calling|called|callin|phone calls?|phoning|ringing|robocalls?|voicemails?|ring"

ENGLISH = Grammar(
    sets=SETS,
    requests=REQUESTS,
    weak=WEAK,
    exceptions=EXCEPTIONS,
    contrasts=CONTRASTS,
    insteads=INSTEADS,
    limits=LIMITS,
    places=PLACES,
    kept=KEPT,
    frames=FRAMES,
    strangers=STRANGERS,
    disputes=DISPUTES,
    deaths=DEATHS,
    abuses=ABUSES,
    returns=RETURNS,
    about=ABOUT,
    automatic=AUTOMATIC,
    visits=VISITS,
    broken=BROKEN,
    everything=ALL,
    sms=SMS,
    email=EMAIL,
    call=CALL,
)
