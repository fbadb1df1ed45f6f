"""How one asks in English not to be contacted, as data: sets of words, and the patterns made of them."""

from __future__ import annotations

SETS = {
    "stop": "refrain from|stop|stp|sotp|stopp|quit|cease|discontinue|halt|end",
    "doing": "text(?:t?ing|in)|tex?ting|txt(?:ing|in)?|messag(?:ing|in)|mess?ag(?:e|ing)|msg(?:ing|in)?|"
    "contact(?:ing|in)|call(?:ing|in)"
    "|email(?:ing|in)|emal?ing|mailing|phoning|ringing|writing|bother(?:ing|in)|bugging|harass+ing|spamming|pestering"
    "|annoying|disturbing|notifying|reminding|pinging|nagging|hounding|soliciting|reaching out|hitting me up"
    "|blowing up|following up|blasting|leaving (?:me )?(?:voicemails?|messages?)",
    "do": "text|txt|message|msg|contact|call|email|e mail|phone|ring|write|bother|bug|spam|pester|disturb|notify|remind"
    "|ping|harass|solicit|reach out|mail|follow up",
    "send": "send|sending|sned|sendin|getting|gettin|receiving|recieving",
    "get": "get|receive|recieve|see|have|hear from|hear|be getting|be receiving|keep getting",
    "msg": "texts?|texting|text messages?|txts?|messages?|mesages?|messges?|msgs?|sms|reminders?|notifications?|"
    "alerts?|promos?|promotions?|emails?"
    "|e mails?|calls?|phone calls?|robocalls?|spam|communications?|correspondence|newsletters?|marketing|ads?|"
    "offers|follow ups?"
    "|voicemails?|contact|outreach|surveys?|mailings?|announcements|updates",
    "these": "anything else|nothing|these|those|this|that|them|it|stuff|things|crap|shit|anything|any|more|nonsense|"
    "junk|any more",
    "me": "me|us|him|her|them|my (?:\\w+ )?(?:number|phone|cell|line|inbox|house|family)"
    "|this (?:\\w+ )?(?:number|phone|cell|line|person|address)|our (?:number|phone|house)|the number|here",
    "not": "not|dont|do not|don t|never|no longer|please no longer|doesnt|dnt|wont|stop and dont",
    "want": "want|wanna|wish|care|need|like|would like|agree|consent|have time",
    "off": "take|remove|delete|drop|get|scratch|strike|erase|pull|cut|leave|cross|wipe|purge|unlist",
    "mine": "me|us|my \\w+|my \\w+ number|our \\w+|this number|this phone number|this phone|this cell|him|her|them|"
    "the number|myself|ourselves",
    "rid": "remove|delete|scratch|strike|erase|purge|unlist",
    "self": "me|us|myself|ourselves|my (?:\\w+ )?number|my name|this (?:\\w+ )?number|the number",
    "who": "i|im|ive|am|are|still|was|were|why|you|they|he|she|we|u|who|it|doctor|dentist|nobody|people|that",
    "list": "list|lists|system|database|records?|mailing list|mailings?|files?|rolls?|distribution|everything|"
    "rotation|contacts?"
    "|phone list|text list|texts?|messages?|reminders?|emails?|calls?|alerts?|notifications?|this thread|this|"
    "these|newsletters?|program|here|it|all",
    "doc": "early|surgery|waiting|wait|standby|cancellation|schedule|monday|tuesday|wednesday|thursday|friday|"
    "medication|plan|invoice|invoices|bill|bills|statement|statements|receipt|receipts|records|xrays?|x|forms?|form|"
    "photos?|pictures?"
    "|prescriptions?|refills?|meds|results|package|packages|payments?|money|link|links|paperwork|estimate|"
    "quote|quotes|directions"
    "|checks?|referral|techs?|technicians?|crew|people|guys|new",
    "visit": "waitlist|wait|waiting|schedule|scheduled|calendar|cancellation|standby|appointment|appointments|appt|"
    "visit|plan|membership|insurance"
    "|autopay|auto|policy|trial|study|treatment|xrays?|x|fluoride|sedation|surgery|whitening|contract|warranty|"
    "lease|billing|account",
}

REQUESTS = (
    "{stop} _3 {doing} _2 {me}~",
    "{stop} _!3 {send} _!6 {msg}",
    "{stop} _!3 {send} me|us~ {these} $",
    "{stop} _1 {send} {me} $",
    "{stop} _1 {send} $",
    "{stop} (?:with|w)~ (?!the call|this call|my call) the|these|those|all|your|you|ur|with|my|any|sending|"
    "further|future|this|getting _!3 {msg}",
    "{stop} {msg}",
    "cut|knock out|off|it~ the|these|this|all|with _1 {msg}|texting|calling",
    "turn|switch|shut _1 off _!3 {msg}",
    "turn|switch|shut (?:these|those|{msg}) off",
    "turn|switch|shut the|your|all|my _2 {msg} off",
    "!who {not} (?:ever|please|even|you ever|you)~ {do} {me}",
    "{not} (?:want|like|wish) (?:(?:you|yall|u|anyone|this office|people))~ (?:to)~ (?:ever |keep |be)~ "
    "(?:{do}|{doing}) {me}",
    "(?:you|u|yall) {not} (?:need|have) to (?:{do}|send) _4 (?:anymore|again|any more|any longer)",
    "{not} {want} to be {do}ed",
    "{not} {want} to be contacted|texted|called|messaged|emailed|bothered|disturbed|notified|reminded|"
    "solicited|contact",
    "{not} be contacted|texted|called|messaged|emailed",
    "^ (?:please |pls |just |so |and |but )?(?:dont|never) {do} (?:or|and|nor)~ {do}~ $",
    "!who {not} ever~ {do} again|anymore|ever",
    "!who {not} ever|you|to|please~ {send} _!6 {msg}",
    "!who {not} ever|you|to|please~ {send} {me}~ {these} $",
    "!who {not} (?:ever|you|to|please)~ {send} _!4 {these} $",
    "(?:rather not|prefer not to|rather you not|prefer you not) {get}|{send} _!3 {msg}|{these}",
    "(?:rather not|prefer not to|rather you not|prefer you not|rather you didnt) {do} {me}",
    "(?:rather not|prefer not to) be (?:contacted|texted|called|messaged|emailed)",
    "^ how (?:to|do i|can i) {stop} $",
    "dont|not (?:give|consent) _3 (?:consent|permission|contact|contacted|{msg})",
    "!who {not} ever~ send {me} again|anymore|ever",
    "{not} {want} to~ {get}~ (?!a|an) _!4 {msg} ",
    "!who {not} (?:ever|please)~ {do} my \\w+ anymore|again|ever",
    "{not} {want} to~ {get} _!2 {these}|you|yall",
    "{not} {want} to~ hear from",
    "{not} {want} any more|anymore|these|those $",
    "{not} {want} you|u|yall|anyone _1 {doing}|{do}",
    "{not} interested in _!4 {msg}",
    "no need|reason _!4 {do} _3 anymore|again|any|ever|further",
    "no more|further|additional _!2 {msg}",
    "no more of~ these|this|those|them $",
    "^ no {msg} (?:or {msg})~ $",
    "^ no {msg} please|pls|thanks|thank|ever|at|or|and|to|from",
    "^ no more $",
    "{off} {mine} _2 off|from|out|of _!4 {list}",
    "{off} {mine} off|from|out (?:please|pls|plz|thanks|now|asap)~ $",
    "^ please (?:remove|unsubscribe|delete) $",
    "(?:appreciate|prefer|like|great|nice|wish|rather|love) _3 you|u stopped|quit {doing}",
    "(?:want|need|like|let me|get me) out of this|your|the list",
    "{rid} {self} $",
    "{rid} {self} please|thanks|now|immediately|asap|thank|permanently|completely|entirely",
    "get off of~ this~ your|this|the _!2 list",
    "want|like|need|wanna to~ off of|from~ your|this|the _!2 list",
    "want|like to be|get removed|taken|deleted|off|dropped _!3 {list}",
    "be|get removed|deleted|dropped _1 from|off _!3 {list}",
    "lose|forget|loose|ditch|block my|this|the number",
    "unsubscribe|unsuscribe|unsubcribe|unsub {mine} ",
    "unsubscribe|unsuscribe|unsubcribe|unsub {mine}~ from|to _!3 {list}",
    "want|like|wanna|trying|tried|need|wish|how|where|what|please|can|let|help _4 unsubscribe|unsuscribe|"
    "unsubcribe|unsub _!2 $",
    "opt {mine} out (?!of|from)",
    "opt {mine} out of|from _!3 {msg}|{list} ",
    "opt|opting|opted out of|from _!4 {msg}|{list} ",
    "want|like|wanna|trying|tried|need|wish|how|where|what|please|can|let|choose|i|help _4 opt|opting out $",
    "how|where|what _5 {stop}|block|mute|silence _!2 {msg}",
    "how|where|what _5 {stop}|block|mute|silence (?:these|those|them) $",
    "how|where|what _5 {stop}|block|mute _1 getting|receiving",
    "how|where _4 get off _4 {list}",
    "make|get (?:the|these|your)~ _2 {msg} to~ stop",
    "get (?:these|those|them) to stop",
    "need|want|wish|like _1 {msg} to~ stop|end ",
    "{msg} must|should|need|needs|have|has to~ stop|end|cease ",
    "told|asked|begged|telling|asking you|u|yall|them _3 to~ {stop}",
    "i|ive|already|have|just _1 sent|texted|replied|said|typed|wrote stop (?!by|taking|at|in|eating|using)",
    "^ {stop} it|this|that|already|please|now~ already|please|now~ $",
    "cease and desist",
    "leave me|us|him|her|my alone",
    "leave me|us the|tf hell|fuck|heck~ alone",
    "revoke|withdraw|rescind|retract|revoking|withdrawing|take _2 consent|permission|authorization",
    "(?:revoke|withdraw|rescind) _4 (?:consent|permission|authorization) (?:to|for) (?:receive|receiving|get|"
    "getting|be sent|send) _3 {msg}",
    "revoke|withdraw _4 consent|permission|authorization",
    "(?:no longer|dont) (?:consent|authorize) ",
    "dont call|contact|text|message list|registry",
    "cancel|end|discontinue|deactivate|terminate (?!the call|this call|my call) all|my|the|these|your|this|any|"
    "further~ text|sms|email|"
    "message|reminder~ {msg}|subscription",
    "unfollow|unenroll me",
    "unenroll|deregister {mine} ",
    "sick|tired|fed _2 of|with _!3 {msg}",
    "(?:instead of|rather than) (?:{doing}|{msg}|sending _2 {msg})",
    "not the|your texts",
)

ABOUT = ("{msg}|{doing}|unsubscribe|unsub|list",)

WEAK = (
    "make {these} stop",
    "how|where|what _5 {stop}|block|mute|silence {these} $",
    "need|want|wish|like {these} to~ stop|end ",
    "(?:can|will|could|would) (?:you|u|yall) _2 {stop} (?:it|this|that)~ (?:already|please|now)~ $",
    "please|just {stop} (?:it|this|that|these)~ (?:already|now|please|all)~ $",
    "(?:no need|no reason|not necessary|(?:you )?dont (?:need|have)) (?:for you )?to _1 (?:{do}|{send}) _2 "
    "(?:{me}|{msg})",
)
