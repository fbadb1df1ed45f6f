"""How wishes about messages are said in Spanish, as data. Folded: without accents."""

from __future__ import annotations

from app.domain.text_reply_grammar import Grammar

_PRONOUN = "(?:me|nos|le|les|lo|la|los|las|melo|melos|melas)"
SETS = {
    "stop": "parad|deje|dejen|deja|dejar|dejad|dejes|pare|paren|para|parar|paran|cese|cesen|cesar|termine|terminen|"
    "eviten|evite|basta|suspendan|suspenda",
    "inf": r"(?:escrib|mand|envi|llam|contact|molest|texte|mensaje|acos|hostig|fastidi|marc|insist|mandandome|"
    rf"comunic)[aei]r(?:{_PRONOUN}|se)?",
    "ger": rf"(?:escribiendo|mandando|enviando|llamando|contactando|molestando|texteando){_PRONOUN}?",
    "subj": r"(?:escrib[aei]|llam[ea]|contact[ea]|molest[ea]|texte[ea]|mensaje[ea]|acos[ea]|hostig[ea]|busqu[ea]|"
    rf"habl[ea]|marqu[ea])(?:n|s|is)?{_PRONOUN}?",
    "give": rf"(?:mand[ea]|envi[ea]|lleg[ua]e)(?:n|s|is)?{_PRONOUN}?",
    "giving": rf"(?:mand|envi)ar{_PRONOUN}?|recibir(?:los|las|les)?",
    "me": "me|nos|le|les|lo|la|te",
    "msg": "mensajes?|mensajitos?|textos?|sms|correos?|emails?|mails?|llamadas?|recordatorios?|avisos?|"
    "notificaciones|notificacion|promociones|promocion|promos?|publicidad|propaganda|spam|boletines|"
    "ofertas|whatsapps?|comunicaciones|alertas?|anuncios|informacion",
    "off": "(?:quit|saqu|sac|borr|elimin|retir|remuev|tach|baj|desuscrib|desinscrib)(?:e|en|a|ar|an)(?:me|nos|lo|"
    "la|le)",
    "offs": "quiten|quite|quitar|saquen|saque|sacar|borren|borre|borrar|borra|eliminen|elimine|eliminar|retiren|"
    "retire|remuevan|remover|remueva|tachen",
    "list": "lista|listas|base|bases|registros?|sistema|contactos|grupo|mensajes|recordatorios|textos|directorio|"
    "aqui|ahi|agenda|envios|publicidad|notificaciones|correos",
    "doc": "facturas?|recibos?|cobros?|cargos?|recetas?|resultados?|fotos?|radiografias?|formularios?|papeles|"
    "documentos?|presupuestos?|cuentas?|enlaces?|links?|tecnicos?|dinero",
    "want": "quiero|queremos|deseo|deseamos|necesito|necesitamos|quisiera|me interesa|autorizo|acepto|consiento",
}
REQUESTS = (
    "{stop} ya~ de _2 {inf}",
    "(?:dejen|deje|deja)(?:me|nos) (?:ya )?de {inf}",
    "{stop} ya~ de _2 {giving} _!4 {msg}",
    "{stop} ya~ de {giving} $",
    "{stop} ya~ de {giving} (?:cosas|esto|eso|esos|estos|tantos|nada) ",
    "{stop} ya~ con~ los|las|sus|estos|estas|esos|esas|tantos|tanto|de _2 {msg}",
    "{stop} ya~ los|las|sus|estos|estas|esos|esas {msg}",
    "(?:detengan|detener|detenga|terminen|cancelen|cancele|cancelar|anulen|anular|suspendan|desactiven|"
    "desactivar|quiten) (?:los|las|sus|estos|estas|esos|mis|todos|mi|la) _2 {msg}|suscripcion",
    "(?:no|nunca|jamas|ya|ni) _3 {me} (?:vuelvan|vuelva|vuelvas|sigan|siga|anden|esten)~ a~ {subj}|{inf}|{ger}",
    "no (?:vuelvan|vuelva|vuelvas|sigan|siga|quiero|deseo) a~ {inf}|{ger}",
    "(?:no|nunca|jamas) mas~ {subj} (?:mas|nunca|otra|a|por)",
    "no (?:molest|escrib|llam|contact)[ea]n? $",
    "(?:no|nunca|jamas) _1 {me} (?:vuelvan|vuelva|vuelvas|sigan|siga|esten)~ a~ {give}|{giving}|mandando|"
    "enviando _!4 {msg}",
    "(?:no|nunca|jamas) _1 {me} {give} (?:mas|nada|nunca|cosas|estas|estos|esto)~ (?:nada|cosas|por|a)~ $",
    "(?:no|nunca|jamas) _1 {give} _!3 {msg}",
    "(?:no|nunca|jamas) {want} _1 mas~ (?:recibir|seguir|tener|ver|que|sus|estos|estas|esos|mas|los|las|de|ni|"
    "nada) _!4 {msg}",
    "(?:no|nunca) {want} _1 (?:recibir|seguir|mas|nada) (?:recibiendo|recibir|mas|nada|esto|eso|estos|esos|"
    "cosas|de)~ (?:ustedes|mas|esto|eso)~ $",
    "(?:no|nunca) {want} _2 (?:que _1 {me} {subj}|saber nada|saber mas|ser contactad[oa]|recibir nada)",
    "(?:no|ya no) {want} _2 {inf}|{subj}",
    "(?:no|ya no) {want} (?:mas|estos|esos|estas|esas|sus) {msg}",
    "no {want} {msg}",
    "no|nunca {give} (?:mas|nada|nada mas) (?:por favor)~ $",
    "no necesito _2 {msg}",
    "no (?:me |nos )?(?:{giving}|mandarme|enviarme) _!3 {msg}",
    "no (?:me |nos )?{inf} (?:mas|nunca)~ $",
    "no mas|(?:mas de) _2 {msg}",
    "^ ya~ no mas (?:por|gracias)~ favor~ $",
    "(?:ni|sin) (?:un|una|mas) {msg} (?:mas)~ ",
    "{off} (?:ya|por|favor|inmediatamente|de|del|gracias)~ (?:favor)~ (?:la|su|sus|esta|esa|este|tu|todas|"
    "todos|los)~ (?:la|sus|su|los)~ {list}",
    "{off} (?:ya|por favor|gracias|inmediatamente)~ $",
    "{me} (?:pueden|puede|podrian|podria)~ {offs} (?:de|del) (?:la|su|sus|esta|esa|este|tu|todas|los)~ {list}",
    "{offs} mi|este|ese numero|telefono|celular|contacto|nombre|correo|movil",
    "{offs} mis datos",
    "(?:den|dar|dame|deme|denme|darme|dennos|darnos|doy|dan|causar|solicito|pido|quiero|deseo) me~ _1 baja $",
    "(?:den|dar|dame|deme|denme|darme|dennos|doy|dan|solicito|pido|quiero) me~ (?:de|la) baja (?:por|ya|de|del|"
    "a|en) _3 (?:favor|{msg}|{list}|numero)",
    "(?:den|dar|denle) de baja (?:mi|este|el) (?:numero|telefono|celular|contacto|correo)",
    "(?:desuscrib|desinscrib|desapunt)[a-z]{1,8} ",
    "(?:anul|cancel)[a-z]{1,4} (?:mi|la) suscripcion",
    "(?:pierdan|pierda|olviden|olvide|olvidense|bloqueen) (?:de )?mi numero",
    "(?:dejen|deje|deja|dejad)(?:me|nos)~ (?:me )?en paz|tranquil[oa]s?",
    "(?:dejenme|dejeme|dejame|dejennos|dejadme) (?:ya )?(?:en paz|tranquil[oa]s?|sol[oa])",
    "como _3 (?:dejo|dejar|paro|parar|detengo|detener|evito|salgo|cancelo|cancelar|hago) _3 (?:recibir|{msg}|"
    "lista|esto|estos)",
    "como _3 (?:desuscribo|desuscribirme|quito|borro|salirme|quitarme|borrarme)",
    "(?:revoco|retiro|cancelo|anulo) _2 (?:consentimiento|autorizacion|permiso)",
    "no _2 (?:autorizo|consiento) _3 (?:{inf}|{subj}|{msg}|contacto|{give})",
    "(?:no quiero|quiero no) (?:ser contactad[oa]|contacto)",
    "(?:quiero|quisiera|deseo|me gustaria|pueden|puedo|podrian|favor de|necesito) _2 (?:dejar de recibir|no "
    "recibir|desuscribirme|salir de (?:la|su|esta) lista|que (?:me )?(?:dejen|paren))",
    "(?:hart[oa]|cansad[oa]|fastidiad[oa]) de _3 {msg}",
    "(?:en vez|en lugar|envez) de (?:{msg}|{inf}|texto)",
    "^ (?:por favor )?(?:paren|pare|parar|basta|detenganse|dejenlo|alto|ya paren|dejen)(?: ya| por favor| esto|"
    " de una vez| con esto){0,3} $",
    "ya (?:paren|pare|basta|dejen) $",
    "no me interesa[n]? _2 {msg}",
)
LIMITS = (
    "(?:despues|antes|hasta|pasadas|luego) (?:de|del|que|las|la|el|manana|\\d\\w*|lunes|enero|junio)",
    "(?:a|entre|desde) las? ",
    "(?:de|por|en) (?:la|las)~ (?:noche|noches|manana|mananas|madrugada|tarde|tardes|fin|fines)",
    "(?:los|el|en|este|cada|solo|todos) (?:los|fines?)~ (?:lunes|martes|miercoles|jueves|viernes|sabados?|"
    "domingos?|de semana|fin|fines|dias|feriados)",
    "tan (?:tarde|temprano|seguido|frecuente|frecuentemente|a)",
    "(?:tanto|tantos|tantas|tanta|demasiad[oa]s?|menos|muchos) ",
    "(?:cada|una|dos|tres|varias|\\d+) (?:vez|veces|dia|semana|mes|hora)",
    "(?:todos los|diari[oa]s?|a diario)",
    "(?:mientras|durante|cuando|salvo|excepto|menos que|a menos) ",
    "(?:solo|solamente|unicamente|nada mas) (?:si|cuando|los|las|por|para|en|recordatorios|de|mensajes|quiero|"
    "llamen|escriban|mandenme)",
    "(?:hoy|manana|por ahora|de momento|ahora no|ahorita|esta semana|este mes|todavia|aun) ",
    "(?:sobre|acerca|respecto|referente) ",
    "(?:si no|a no ser) (?:es|sea|que|hay)",
    "(?:pero|y) (?:si|sigan|manden|los) _3 (?:recordatorios?|citas?)",
    "estoy (?:en|trabajando|manejando|ocupad[oa]|durmiendo|de)",
    "por (?:lo de|la cita|el pago|mi cita|la factura) ",
    "para (?:la cita|mi cita|la factura|cobrar|el pago) ",
)
PLACES = (
    "(?:al|en el|en mi|a mi) trabajo|oficina|casa|escuela|laburo|chamba",
    "(?:en|al|por) (?:este|ese|mi|la|el)~ (?:numero|telefono|celular|linea|casa|trabajo|oficina)",
    "(?:es|este es) (?:mi|el|un) (?:numero|telefono|celular) (?:de|del) (?:trabajo|oficina|empresa|mi)",
)
KEPT = (
    "(?:no|nunca) (?:me|nos|lo)~ (?:dejen|deje|dejes|paren|pare|pares|cancelen|cancele|quiten|quite|quites|"
    "borren|borre|saquen|saque|den|eliminen|elimine|desuscriban|suspendan|detengan) (?:de|me|los|mi|ya|las) _2 ",
    "no (?:quiero|queria|quise|deseo|quisiera|pretendia) (?:me )?(?:cancelar|darme|dejar|parar|desuscribirme|"
    "borrarme|salir|que (?:me )?(?:borren|quiten|saquen|den|dejen|paren)) _2 ",
    "(?:por que|porque) (?:dejaron|pararon|han dejado|ya no) _4 ",
)
FRAMES = ("si", "que", "porque", "ustedes", "ellos", "cuando", "como")
STRANGERS = (
    "(?:numero|telefono|persona|contacto) (?:equivocad[oa]|incorrect[oa]|erroneo|errad[oa])",
    "(?:se|te|esta|estan|esto es|creo que se) _1 (?:equivoc\\w{1,6}|confund\\w{1,6}) de|con~ numero|persona|telefono~",
    "equivocad[oa]s? (?:de|el) (?:numero|persona)",
    "no (?:soy|somos) (?:esa|la|ese|el|dicha)~ (?:persona|paciente|cliente|que (?:busca|buscan)|indicad[oa]|quien)",
    "(?:este|ese|ya|aqui) _2 no (?:es|vive|hay|trabaja|esta) (?:mas )?(?:el |la |su )?(?:numero|telefono|"
    "celular|aqui|ningun[oa]?|nadie|esa)",
    "no hay (?:nadie|ningun[oa]?) _3",
    "no (?:vive|conozco|conocemos|se quien) (?:aqui|a|es) ",
    "nadie (?:con|de|aqui) ",
    "(?:acabo de|tengo|cambie|es un) _3 (?:numero nuevo|nuevo numero|este numero)",
    "(?:nunca he sido|no soy|jamas fui) (?:su |un |una )?(?:paciente|cliente|clienta)",
    "numero (?:ya no|no) (?:es|pertenece|corresponde)",
    "no (?:tengo|tenemos) (?:perro|gato|mascota|cita|cuenta)s? (?:ahi|con|ni)~ $",
)
DISPUTES = (
    "(?:nunca|no|jamas|yo no|en ningun momento) (?:me|les|los|le|yo|di|he)~ (?:\\w+ )?(?:suscribi|suscrit[oa]|"
    "registre|registrad[oa]|apunte|apuntad[oa]|inscribi|inscrit[oa]|autorice|autorizado|solicite|solicitado|"
    "pedi|pedido|di|dado|acepte|aceptado) _3 ",
    "sin mi (?:consentimiento|permiso|autorizacion)",
)
DEATHS = (
    "(?:fallecio|fallecid[oa]) ",
    "(?:mama|papa|madre|padre|espos[oa]|marido|mujer|hij[oa]|abuel[oa]|herman[oa]|perr[oa]|gat[oa]|el|ella|senora?|"
    "ti[oa]|paciente) _1 (?:se )?(?:murio|muri|muert[oa])",
    "(?:murio|se murio) (?:mi|nuestr[oa]) (?:mama|papa|madre|padre|espos[oa]|marido|mujer|hij[oa]|abuel[oa]|"
    "perr[oa]|gat[oa])",
    "(?:ya no esta|descansa) (?:con nosotros|en paz)",
    "paso a mejor vida",
)
ABUSES = (
    "(?:es|esto|puro|son|hacen) (?:es |un |una )?(?:spam|acoso|estafa|fraude|abuso|hostigamiento)",
    "^ (?:spam|acoso|estafa|fraude) ",
    "(?:dejen|deje|paren|pare|dejar) de (?:acosar|hostigar)\\w* ",
    "(?:los|las|voy|le|la|lo) _1 (?:a )?(?:denunciar|reportar|demandar|bloquear|denuncio|reporto|demando|"
    "bloqueo)(?:los|las|lo|la)?",
    "^ ya~ (?:basta|estuvo|fue suficiente|esta bueno|es suficiente|suficiente) (?:ya|por favor)~ ",
    "que (?:pesados|fastidio|molestia|insistentes|molestos)",
    "(?:vayanse|vayase|larguense|al diablo|a la mierda|no jodan|no joda|no chinguen) ",
)
RETURNS = (
    "(?:quiero|quisiera|deseo|me gustaria|pueden|puedo|podrian|podria|necesito|vuelvan|vuelva) _2 (?:volver "
    ")?(?:a )?(?:recibir|recibiendo) _4 (?:{msg})",
    "(?:vuelvan|vuelva|volver|pueden volver|sigan) a (?:{inf}|{giving})",
    "(?:quiero|quisiera|deseo|pueden|puedo|podrian) _1 (?:suscribirme|inscribirme|agregarme|incluirme|anotarme|"
    "apuntarme|reactivar)",
    "(?:agreguen|agregue|anoten|incluyan|suscriban|apunten|inscriban|pongan|reactiven|activen|reanuden)(?:me|"
    "nos|lo)? _4 (?:{list}|{msg}|vez|nuevo)",
    "(?:agreguen|suscriban|apunten|inscriban)me ",
    "(?:por error|sin querer|por accidente|me equivoque) ",
    "manden(?:me)? _2 {msg} (?:de nuevo|otra vez|nuevamente)",
)
AUTOMATIC = (
    "(?:estoy|voy) (?:conduciendo|manejando) con|mientras|y|te|le|vere",
    "(?:respuesta|mensaje) automatic[oa]",
    "(?:fuera de la oficina|modo (?:enfoque|concentracion|conducir))",
    "no molestar (?:al|mientras) (?:conducir|volante)",
)
VISITS = (
    "(?:cita|citas|consulta|limpieza|visita|turno|hora|tratamiento|cirugia|dolor|muela|diente|corona)",
    "(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|manana|hoy) ",
    "(?:confirmo|confirmar|cancelen|cancelar|cambiar|pague|pago|factura|llego|asistire|voy|estare|nos vemos)",
    "(?:llamenme|llameme|escribanme|mandenme|envienme|mejor|prefiero|usen|correo)",
)
SPANISH = Grammar(
    sets=SETS,
    requests=REQUESTS,
    limits=LIMITS,
    places=PLACES,
    kept=KEPT,
    frames=FRAMES,
    strangers=STRANGERS,
    disputes=DISPUTES,
    deaths=DEATHS,
    abuses=ABUSES,
    returns=RETURNS,
    about=("{msg}|{inf}|lista|baja",),
    automatic=AUTOMATIC,
    visits=VISITS,
    contrasts=(
        "(?:en vez|en lugar) de",
        "(?:por|via) (?:mensaje|texto|sms|correo|telefono|email)",
        "mejor|prefiero (?:por|correo|email|llamada)",
    ),
    broken=(
        "(?:enlace|link|boton|liga|pagina|opcion) (?:de|para) (?:baja|darme de baja|desuscribir\\w*|cancelar "
        "la suscripcion|anular) _4 (?:no|falla|roto|error)",
    ),
    everything=(
        "(?:no|nunca|jamas) _3 contact[ea]n?(?:me|nos)?",
        "(?:todo|ningun medio|ninguna forma|nada de nada|todos los medios)",
        "dejen de contactar(?:me|nos)",
    ),
    sms="textos?|sms|mensajes de texto|mensajitos?|mensajes?",
    email="correos?|emails?|mails?|boletines",
    call="llamadas?|llamar(?:me|nos)?|llam[ea]n?(?:me|nos)?|telefono",
)
