"""How wishes about messages are said in French, as data. Folded: without accents, elided words set apart."""

from __future__ import annotations

from app.domain.text_reply_grammar import Grammar

SETS = {
    "stop": "arretez|arrete|arreter|arretes|cessez|cesse|cesser|stoppez|stopper|stop|stopez|finissez|evitez",
    "inf": "ecrire|appeler|contacter|harceler|deranger|spammer|solliciter|importuner|embeter|texter|relancer|"
    "telephoner|joindre|emmerder|rappeler|notifier|demarcher|messager",
    "do": "ecrivez|ecris|appelez|appelle|contactez|contacte|harcelez|derangez|derange|sollicitez|importunez|"
    "embetez|textez|texte|relancez|relance|telephonez|joignez|ecriviez|appeliez|contactiez|sollicitiez|"
    "derangiez|relanciez|telephoniez",
    "give": "envoyez|envoie|envoies|envoyer|adressez|adresser|envoyiez|adressiez|recevoir",
    "me": "m|me|moi|nous|lui|leur|sur",
    "msg": "messages?|textos?|sms|mails?|emails?|e mails?|courriels?|appels?|rappels?|notifications?|pubs?|"
    "publicites?|promos?|promotions?|spams?|alertes?|relances?|newsletters?|offres|communications?|"
    "sollicitations?|msgs?|coups? de fil|demarchage",
    "off": "retirez|retire|enlevez|enleve|supprimez|supprime|effacez|efface|otez|rayez|sortez|desinscrivez|"
    "desabonnez|radiez",
    "offs": "retirer|enlever|supprimer|effacer|oter|rayer|sortir|desinscrire|desabonner|radier",
    "list": "liste|listes|fichiers?|base|bases|systeme|contacts|repertoire|registres?|envois|messages|rappels|sms|"
    "diffusion|la|donnees",
    "doc": "factures?|devis|ordonnances?|resultats?|photos?|radios?|formulaires?|documents?|recus?|papiers|"
    "techniciens?|liens?|argent|patients?",
    "no": "plus|pas|jamais",
    "want": "veux|souhaite|desire|voudrais|veut|voulons|souhaitons|souhaiterais|accepte|aimerais|tiens",
}
REQUESTS = (
    "{stop} de~ d~ me~ m~ nous~ lui~ _1 {inf}",
    "{stop} tous|tout (?:envois?|messages?|contact)",
    "(?:merci|veuillez|svp) _1 (?:me|m|nous) {offs} $",
    "plus jamais (?:de|d) {msg}",
    "{stop} d|de _2 envoyer|adresser _!4 {msg}",
    "{stop} d|de _1 envoyer (?:ca|cela|tout|des trucs|ces trucs|rien)~ $",
    "{stop} (?:avec|a|aux|au|tous|toutes|tout)~ (?:vos|ces|les|ce|cette|tous|de|ca|la|l)~ _2 {msg}",
    "(?:ne|n) _2 {do} {no} ",
    "(?:me|m|nous) {do} plus|jamais",
    "(?:ne|n) {no} {me}~ _1 {inf}",
    "(?:plus|pas) (?:me|m|nous) {inf}",
    "(?:ne|n) _2 envoyez|envoie|adressez {no} _!4 {msg}",
    "(?:ne|n) _2 envoyez|envoie|adressez plus|jamais rien|ca|cela~ $",
    "(?:ne|n) plus|pas (?:m |me |nous )?envoyer|recevoir|adresser _!4 {msg}",
    "(?:ne|n) plus (?:rien )?(?:m |me )?(?:recevoir|envoyer) (?:de vous|ca|rien)~ $",
    "m envoyez plus _!3 {msg}|rien",
    "{want} {no} _2 (?:recevoir|avoir|de|d|vos|ces|voir) _!4 {msg}",
    "{want} {no} (?:rien )?recevoir (?:de vous|ca|cela|rien)~ $",
    "{want} {no} _1 etre (?:contactee?s?|derangee?s?|sollicitee?s?|appelee?s?|relancee?s?|harcelee?s?|importunee?s?)",
    "{want} {no} _1 (?:entendre parler|que vous _2 {do})",
    "{want} plus vous entendre",
    "n en veux plus",
    "refuse (?:de recevoir|d etre|vos|tous|toute) _3 ",
    "(?:pas|plus) interesse[es]{0,2} par (?:vos|ces|les) _1 {msg}",
    "(?:plus|pas) (?:besoin )?(?:de|d|aucun|aucune) (?:vos |ces )?(?:\\w+ )?{msg}",
    "^ (?:fini|finis|stop) les {msg}",
    "(?:inutile|pas la peine|plus besoin) de m|me|nous _1 (?:{inf}|envoyer _!3 {msg})",
    "{off} (?:moi|nous|mon|ce|mes|le|mon nom) (?:numero|nom|coordonnees|contact|donnees|telephone|tel|"
    "adresse)~ (?:de|du|des) (?:votre|vos|la|cette|ces|toutes|tous)~ (?:vos |les )?{list}",
    "{off} (?:moi|nous) (?:svp|s il vous plait|merci|immediatement|de suite|maintenant)~ $",
    "{off} (?:mon|ce|mes) (?:numero|nom|coordonnees|contact|donnees|telephone)",
    "(?:me|m|nous) {offs} de|du|des|svp",
    "(?:me|m) (?:desabonner|desinscrire) ",
    "(?:me|m) (?:desabonne|desinscris|retire) ",
    "(?:etre|etais|soit) (?:retire|enleve|supprime|efface|desabonne|desinscrit|raye)e?s? de|du|des",
    "{offs} (?:mon|ce|mes) (?:numero|nom|coordonnees|contact|donnees|telephone)",
    "comment _3 (?:stopper|arreter|bloquer|desactiver|faire cesser|ne plus recevoir) _3 (?:{msg}|ca|cela|recevoir)",
    "comment _3 ne plus recevoir",
    "(?:laissez|laisse|foutez|fichez|lachez|lache|fiche|fous) (?:moi|nous) (?:tranquille|en paz|en paix|la "
    "paix|la|donc)~",
    "(?:oubliez|perdez|jetez|bloquez) mon numero",
    "(?:retire|revoque|annule) mon (?:consentement|accord|autorisation)",
    "(?:resilier|resiliez|annuler|annulez|desactiver|desactivez|suspendez) (?:mon|mes|les|ces|vos|l|l "
    "inscription) _1 (?:abonnement aux|{msg}|alertes)",
    "(?:marre|assez|ras le bol|fatiguee?) (?:de|d) (?:vos|ces|recevoir|tous) _2 {msg}",
    "(?:au lieu|plutot que) (?:de|des|d|par|m|me) _2 (?:{msg}|{inf}|textos)",
    "desabonnez moi|desinscrivez moi|desabonnement svp",
    "^ (?:merci d|veuillez|svp|s il vous plait)~ (?:arretez|arreter|stoppez|cessez|stop)(?: svp| merci| tout| "
    "ca| maintenant| s il vous plait| tout de suite){0,3} $",
    "(?:arretez|arrete|stop) (?:ca|tout|svp|maintenant) $",
)
LIMITS = (
    "(?:apres|avant|jusqu|jusque|passe|des) (?:\\d\\w*|midi|minuit|le|la|a|au|l|20|lundi|demain|le travail) ",
    "entre|a \\d\\w* ",
    "(?:le|en|la|de|les) (?:soir|soirs|soiree|matin|matinee|nuit|week|weekend|weekends|week end|lundi|mardi|"
    "mercredi|jeudi|vendredi|samedi|dimanche|aprem)",
    "(?:si|aussi|trop|tres) (?:tard|tot|souvent|frequemment)",
    "(?:autant|tant|moins|trop|tellement) de|d|souvent",
    "(?:chaque|tous les|toutes les|\\d+|une|deux|trois|plusieurs) (?:jours?|fois|semaines?|mois|heures?)",
    "(?:pendant|durant|quand|lorsque|sauf|excepte|hormis|a moins|tant que) ",
    "(?:seulement|uniquement|juste|que) (?:si|quand|pour|les|le|en|des|un|la)",
    "(?:aujourd|ce soir|demain|cette semaine|pour l instant|pour le moment|tout de suite|ces jours|ce mois)",
    "(?:au sujet|a propos|concernant) ",
    "mais (?:gardez|continuez|les|oui|pas|seulement) _3 (?:rappels?|rendez vous|rdv)",
    "(?:je suis|suis) (?:en|au|occupee?|sur la)",
    "pour (?:le|mon|la|ma|ce|cette) (?:rendez vous|rdv|facture|devis|visite)",
)
PLACES = (
    "(?:au|a mon|a mon lieu de) (?:travail|boulot|bureau|taf)",
    "(?:sur|a) (?:mon|cette|le) (?:lieu|numero|fixe|portable|telephone|ligne|mobile|bureau|lieu de travail|tel)",
    "(?:chez moi|a la maison|a l ecole)",
    "c est (?:mon|le|un|ma) (?:numero|telephone|ligne|portable|tel) (?:pro|professionnel|professionnelle|du|de)",
)
KEPT = (
    "(?:n|ne) (?:me |nous )?(?:arretez|arrete|stoppez|cessez|desabonnez|desinscrivez|retirez|supprimez|enlevez|"
    "annulez) (?:surtout )?(?:pas|jamais) ",
    "(?:veux|voulais|souhaite|voudrais|voulait) (?:surtout )?pas (?:me |m |tout |vous )?(?:arreter|desabonner|"
    "desinscrire|stopper|retirer|etre (?:desabonnee?|retiree?|supprimee?)) ",
    "pourquoi _3 (?:arrete|cesse|plus) _3 ",
)
FRAMES = ("si", "vous", "pourquoi", "que")
STRANGERS = (
    "(?:mauvais|faux) (?:numero|destinataire)",
    "mauvaise personne",
    "(?:erreur|trompe[rzs]?|trompee?s?|trompez|gourez) (?:de|sur le) (?:numero|personne|destinataire|contact)",
    "(?:vous|tu) (?:vous|te|faites|devez) (?:etes |faire )?(?:trompe\\w?|trompez|erreur|confondez)",
    "(?:suis|sommes) pas (?:la|cette|le|ce|celle|celui|votre) (?:bonne )?(?:personne|patient\\w?|cliente?|que "
    "vous|bon)",
    "(?:pas|plus) (?:le |son |a )?(?:bon numero|numero de|son numero|le numero|bonne personne)",
    "personne|aucune? _2 (?:ici|de ce nom|a ce nom|a ce numero)",
    "pas de \\w+ (?:ici|a ce numero)",
    "(?:connais|connait) (?:aucune?|pas (?:de|cette personne|ce nom|cette dame|ce monsieur)) ",
    "(?:jamais|pas) (?:ete )?(?:votre |un |une )?(?:patiente?|cliente?) chez|de",
    "(?:nouveau|change|viens d avoir|recupere) (?:de |ce |numero)",
)
DISPUTES = (
    "jamais (?:\\w+ )?(?:inscrite?|abonnee?|donne|consenti|demande|souscrit|autorise|accepte|ete inscrite?)",
    "(?:suis|sommes) (?:pas|jamais) (?:inscrite?|abonnee?)s?",
    "(?:ai|avons) (?:pas|rien|jamais) (?:inscrit|donne (?:mon|d)|consenti|demande|souscrit|autorise) ",
    "sans mon (?:accord|consentement|autorisation)",
)
DEATHS = (
    "(?:pere|mere|mari|femme|epou[xs]e?|fils|fille|frere|soeur|il|elle|chien|chat|mme|madame|monsieur|"
    "patiente?|maman|papa) "
    "_2 (?:est|etait) (?:decede|mort|disparu)e? ",
    "(?:decede|decedee|deces) ",
    "nous a quittes?",
)
ABUSES = (
    "(?:c est|du|encore|de l|est) (?:du |de l |un |une |de la )?(?:spam|harcelement|demarchage|arnaque|pub)",
    "^ (?:spam|arnaque|harcelement) ",
    "(?:vais|je) (?:vous |te )?(?:signaler|signale|porter plainte|denoncer|bloquer|bloque|porte plainte) ",
    "porter plainte",
    "(?:ca|cela) suffit ",
    "^ (?:assez|basta|ras le bol|y en a marre|j en ai marre|j en ai assez|marre|ca suffit|stop au harcelement) ",
    "(?:foutez|fichez|foutre) (?:moi |nous )?(?:le camp|la paix)",
    "{stop} de (?:me |nous |m )?harceler",
    "(?:degagez|degage|allez vous faire) ",
)
RETURNS = (
    "(?:remettez|remets|rajoutez|ajoutez|inscrivez|reactivez|reprenez|recommencez|relancez) _4 (?:{list}|{msg})",
    "(?:reinscrivez|reabonnez) (?:moi|nous)",
    "(?:voudrais|veux|souhaite|aimerais|peux|puis je|pouvez vous|voulez) _3 recevoir _4 {msg}",
    "(?:voudrais|veux|souhaite|aimerais|peux|puis je|pouvez vous) _2 (?:reinscrire|reabonner|remettre sur|reactiver)",
    "(?:par erreur|par accident|sans faire expres) ",
    "(?:ecrivez|contactez|envoyez) moi (?:a nouveau|de nouveau)",
)
AUTOMATIC = (
    "(?:je conduis|en train de conduire|au volant) (?:avec|et|je|actuellement|en) _4 ",
    "(?:reponse|message) automatique",
    "absente? du bureau",
    "mode (?:concentration|conduite|ne pas deranger)",
)
VISITS = (
    "(?:rendez vous|rdv|visite|detartrage|consultation|cabinet|soin|soins|dent|douleur|facture|paiement|devis)",
    "(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|aujourd hui) ",
    "(?:confirme|confirmer|annuler|annulez|deplacer|reporter|paye|payer|j arrive|serai la|retard)",
    "(?:appelez|rappelez|ecrivez|envoyez|preferez|prefere|plutot) ",
)
FRENCH = Grammar(
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
    about=("{msg}|{inf}|liste|desabonnez|desinscrivez",),
    automatic=AUTOMATIC,
    visits=VISITS,
    contrasts=("(?:au lieu|plutot que) ", "(?:par|via) (?:sms|texto|textos|message|mail|email|courriel|telephone)"),
    broken=(
        "(?:lien|bouton|page|option) (?:de|pour) (?:desabonnement|desinscription|se desabonner|me desabonner|"
        "se desinscrire|me desinscrire) _4 (?:pas|plus|mort|casse|erreur|bug)",
    ),
    everything=(
        "(?:ne|n|me|m) _3 contact(?:ez|er|e)",
        "(?:tout|aucune facon|aucun moyen|tous les canaux|d aucune)",
        "de me contacter",
    ),
    sms="textos?|sms|texter|messages?",
    email="mails?|emails?|e mails?|courriels?|newsletters?",
    call="appels?|appeler|appelez|telephoner|telephonez|coups? de fil",
)
