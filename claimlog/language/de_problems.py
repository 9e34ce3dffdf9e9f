"""The German texts of a record's problems, and of the slips behind them."""

from typing import Final

TEXTS: Final = {
    # The problems of a record
    "problem.hidden": "was hier falsch ist, zeigt diese Sicht nicht",
    "problem.and-more": "{text}; und {number} weitere",
    "problem.in-trick": "Stich {number}: {text}",
    "problem.seat": "Sitz {number}",
    "problem.seat-named": "Sitz {number} ({name})",
    "problem.encoding": "das ist kein UTF-8; gelesen wurde es, als stünde an Stelle der falschen "
    "Bytes {written!r}",
    "problem.windows-1252": "das ist kein UTF-8, sondern wohl Windows-1252, und dort ist es "
    "{meant!r}: die Datei als UTF-8 speichern",
    "problem.null": "hier steht ein Nullzeichen (NUL), das kein Text enthält: bitte entfernen",
    "problem.token": "{written!r} ist nicht lesbar: erwartet wird eine Karte wie G5, eine Nummer "
    "wie 7. oder ein Ergebnis",
    "problem.follows.one": "{number} Fehler bei Loot, Votes oder Result kann daraus folgen (--all "
    "zeigt ihn)",
    "problem.follows.other": "{number} Fehler bei Loot, Votes und Result können daraus folgen "
    "(--all zeigt sie)",
    "problem.spoken-card": "{written!r} ist nicht lesbar: Eine Karte wird als ein Buchstabe und "
    "ihr Wert geschrieben, hier {card}",
    "problem.tag": 'dieses Tag ist nicht lesbar; ein Tag ist eine Zeile wie [Event "Zurich Open"]',
    "problem.after-tag": "{written!r} nach dem Tag: Ein Tag steht allein auf seiner Zeile",
    "problem.open-comment": "dieser Kommentar wird nie mit }} geschlossen",
    "problem.space": "vor {written!r} fehlt ein Leerzeichen",
    "problem.colon": "nach aufgedeckten Karten steht ein Doppelpunkt: {written}:",
    "problem.mark": "{written!r} gehört nicht hierher; +, ^ und eine Bewertung folgen auf eine "
    "gespielte Karte",
    "problem.list": "nach dem Komma muss eine Karte stehen",
    "problem.order": "gezogene und gewählte Karten folgen auf alle gespielten eines Stichs; "
    "{written} steht danach",
    "problem.length": "diese Partie ist länger, als eine Partie sein darf, 4 MiB; was danach "
    "kommt, wird vielleicht als weitere Partie gelesen",
    "problem.no-record": "das ist keine Aufzeichnung einer Partie: sie beginnt mit Tags wie "
    '[Deck "GKUWX"]',
    "problem.version": "diese Version des Formats ist unbekannt; die einzige ist 1",
    "problem.duplicate-tag": "das Tag {tag} ist doppelt aufgeführt; das erste zählt",
    "problem.tag-long": "{tag} hat {number} Zeichen; ein Wert hat höchstens {most}",
    "problem.tag-name-long": "der Name {tag} hat {number} Zeichen; ein Name hat höchstens {most}",
    "problem.tag-marks": "{tag} hat mehr als {most} kombinierende Zeichen hintereinander",
    "problem.bad-tag": "{tag} ist nicht lesbar: {shown!r}; {wanted}",
    "wanted.date": "ein Datum schreibt man JJJJ-MM-TT, mit ?? oder ???? für Unbekanntes",
    "wanted.day": "einen Tag {value} gibt es nicht",
    "wanted.time": "eine Zeit schreibt man nach ISO 8601 mit Abstand von UTC, wie "
    "2026-11-14T19:30:00+01:00",
    "wanted.rating": "eine Wertung ist eine Zahl, wie 1630",
    "wanted.votes": "gewonnene Fraktionen schreibt man 3-2, eine Zahl für jede Seite",
    "wanted.votes-sides.one": "hier ist es eine Seite, also eine Zahl",
    "wanted.votes-sides.other": "hier sind es {sides} Seiten, für jede eine Zahl",
    "wanted.names": "möglich sind {names}",
    "wanted.leader.one": "es gibt nur Sitz 1",
    "wanted.leader.other": "es ist ein Sitz von 1 bis {seats}",
    "wanted.result": "man schreibt 1-0, 1/2-1/2 oder *",
    "wanted.loot": "man schreibt 1=W 2=G, mit Seiten von 1 bis {sides} und Buchstaben von "
    "Fraktionen",
    "wanted.loot-cards": "genannt werden Waschbären, wie R2 R5",
    "wanted.cards": "genannt werden Karten, durch Leerzeichen getrennt, _ für eine unbekannte",
    "problem.alone": "ein Spieler reicht nicht: Claim spielt man zu zweit, zu dritt oder zu viert",
    "problem.bye": "ein Freilos hat einen Spieler",
    "problem.bye-tricks": "ein Freilos hat keine Stiche",
    "problem.more-plays.one": "die Stiche haben {plays} Karten, aber {names} fehlt",
    "problem.more-plays.other": "die Stiche haben {plays} Karten, aber {names} fehlen",
    "problem.fewer-plays.one": "die Stiche haben {plays} Karten, aber es gibt {names}",
    "problem.fewer-plays.other": "die Stiche haben {plays} Karten, aber es gibt {names}",
    "problem.gap.one": "{names} fehlt: Spieler werden ohne Lücke gezählt",
    "problem.gap.other": "{names} fehlen: Spieler werden ohne Lücke gezählt",
    "problem.no-deck": 'das Tag Deck fehlt; es nennt die Fraktionen, wie [Deck "GKUWX"]',
    "problem.empty-deck": 'das Deck ist leer; es nennt die Fraktionen, wie [Deck "GKUWX"]',
    "problem.deck": "das Deck {deck}: {problem}",
    "deck.letter": "{letter!r} ist keine Fraktion",
    "deck.twice": "{factions} ({letter}) sind doppelt aufgeführt",
    "deck.classic": "Classic kennt {factions} nicht",
    "deck.pair": "ein Deck hat genau eines der Paare {pairs}, und das ganz",
    "deck.tens": "mit {seats} Spielern hat ein Deck neben dem Paar {wanted} Fraktionen zu zehn "
    "Karten, nicht {number}",
    "problem.ruling": "eine solche Auslegung gibt es nicht: {value!r}; es gibt {known}",
    "problem.no-letter": "eine Karte {card} gibt es nicht: Keine Fraktion hat den Buchstaben "
    "{letter}",
    "problem.no-value": "eine Karte {card} gibt es nicht: {faction} haben die Werte {values}",
    "problem.not-in-deck-shown": "{card} gibt es in dieser Partie nicht: {faction} sind nicht im "
    "Deck {deck}",
    "problem.not-in-deck": "{card} kann nicht gespielt werden: {faction} sind nicht im Deck {deck}",
    "problem.count.one": "im Deck ist nur eine {card}",
    "problem.count.other": "im Deck sind nur {number} {card}",
    "problem.played-by": "; schon gespielt von {places}",
    "problem.seat-in-trick": "{seat} in Stich {number}",
    "problem.stands-in.one": "; sie steht schon in {places}",
    "problem.stands-in.other": "; sie stehen schon in {places}",
    "problem.trick": "Stich {number}",
    "problem.raccoons": "das wäre ein elfter Waschbär: Vier der vierzehn werden entfernt, zehn "
    "sind im Deck",
    "problem.number": "erwartet wird Stich {number}, hier steht Stich {written}: Fehlt einer?",
    "problem.number-again": "erwartet wird Stich {number}, hier steht Stich {written}",
    "problem.auto-play": "{seat} gewinnt diesen Stich durch seinen Automaten: Alle legen eine "
    "Karte verdeckt ab, geschrieben -{card}, zuerst wer gewinnt",
    "problem.auto-discard": "verdeckt abgelegt wird nur in einem Stich, den ein Automat schon "
    "gewonnen hat",
    "problem.upcards-many": "zu viele aufgedeckte Karten: Bei {seats} Spielern ist es {wanted}",
    "problem.upcards-few-2": "zu zweit wird für einen Stich der Phase 1 eine Karte aufgedeckt, "
    "geschrieben U7:; hier sind es {number}",
    "problem.upcards-few": "bei {seats} Spielern werden für einen Stich der Phase 1 zwei Karten "
    "aufgedeckt, geschrieben U7,W3:; hier sind es {number}",
    "problem.upcards-late": "in Phase 2 (ab Stich {number}) wird nichts aufgedeckt",
    "problem.plays-many": "eine Karte zu viel: Der Stich hat seine {seats} Karten schon",
    "problem.plays-few": "der Stich hat {number} von {seats} Karten; von hier an ist unbekannt, "
    "wer ausspielt, und nur die Karten werden geprüft",
    "problem.over": "die Partie ist nach {number} Stichen zu Ende; es darf nur noch das Ergebnis "
    "folgen",
    "problem.no-draw": "hier zieht niemand eine verdeckte Karte: Sie ging an den Seher",
    "problem.draws.one": "in diesem Stich wird {number} verdeckte Karte gezogen, nicht {drawn}",
    "problem.draws.other": "in diesem Stich werden {number} verdeckte Karten gezogen, nicht "
    "{drawn}",
    "problem.draws-twice": "gezogene Karten sind in diesem Stich doppelt aufgeführt",
    "problem.revoke": "{seat} hat {faction} nicht bedient; {proof}",
    "problem.legal": "{proof} (erlaubt: {cards})",
    "problem.held-played": "auf der Hand war noch {card}, gespielt in Stich {number}",
    "problem.held-discarded": "auf der Hand war noch {card}, abgelegt in Stich {number}",
    "problem.held-taken": "auf der Hand war noch {card}, genommen in Stich {number}",
    "problem.held-hand": "auf der Hand war noch {card}, die Hand{seat} nennt",
    "problem.held-hand-one": "auf der Hand war noch mindestens eine von {cards}, die Hand{seat} "
    "nennt",
    "problem.held": "auf der Hand waren noch {faction}",
    "problem.irregular": "{revoke}; mit ^ bezeichnet: Die Turnierleitung hat es so belassen",
    "problem.irregular-asked": "{revoke}; mit ^ bezeichnet und der Turnierleitung überlassen",
    "problem.needless": "das Zeichen ^ ist nicht nötig: {seat} durfte {card} spielen",
    "problem.not-held": "{seat} kann {card} nicht haben: {reason}",
    "problem.all-known": "alle in Phase 1 genommenen Karten sind bekannt",
    "problem.it-played": "{seat} hat sie in Stich {number} gespielt",
    "problem.it-discarded": "{seat} hat sie in Stich {number} abgelegt",
    "problem.it-took": "{seat} hat sie in Stich {number} genommen",
    "problem.never-plays": "{reason}; nie gespielt wird {cards}",
    "problem.taken-in": "{card} (genommen in Stich {number})",
    "problem.hand-size.one": "{tag} hat {number} Karte; bei {seats} Spielern hat eine Hand "
    "{wanted}",
    "problem.hand-size.other": "{tag} hat {number} Karten; bei {seats} Spielern hat eine Hand "
    "{wanted}",
    "problem.pile-size.one": "Pile hat {number} Karte; der Nachziehstapel hat {wanted}",
    "problem.pile-size.other": "Pile hat {number} Karten; der Nachziehstapel hat {wanted}",
    "problem.hand-play": "{seat} hat {card} gespielt, die in Hand{number} fehlt; dort stehen "
    "{cards}",
    "problem.pile-card": "in Pile steht hier {wanted}, nicht {card}",
    "problem.hand-raccoon": "mit der Auslegung raccoons=pile ist am Anfang kein Waschbär auf "
    "einer Hand",
    "problem.mark-discard": "eine verdeckt abgelegte Karte gewinnt nichts; {winner} gewinnt durch "
    "den Automaten",
    "problem.mark-lost": "{card} von {seat} hat nicht gewonnen, sondern {best} von {winner} "
    "(angespielt: {faction})",
    "problem.no-pick": "die aufgedeckte Karte, die {seat} gewählt hat, fehlt, geschrieben =U7",
    "problem.no-loot": "Seite {side} hat Beute und muss sagen, wofür sie zählt: "
    '[Loot "{side}=..."]; möglich: {factions}',
    "problem.bad-pick": "{seat} kann nur eine der aufgedeckten Karten wählen",
    "problem.pick-for-two": "zu zweit wählt niemand: Wer gewinnt, nimmt die aufgedeckte Karte",
    "problem.no-seer": "{seat} hat nicht mit einem Seher gewonnen und kann die verdeckte Karte "
    "nicht nehmen",
    "problem.late-choice": "in Phase 2 wird nichts gezogen und nichts gewählt",
    "problem.choice-twice": "diese Wahl ist in dem Stich doppelt aufgeführt",
    "problem.bad-loot": "die Beute von Seite {side} kann nicht für {faction} zählen; am wenigsten "
    "Karten hat sie hier: {factions}",
    "problem.needless-loot": "Seite {side} hat keinen Waschbären mit Beute",
    "problem.incomplete": "{number} von {total} Stichen sind da; eine abgebrochene Partie hat das "
    "Ergebnis * oder eine Termination",
    "problem.result-parts": "das Ergebnis {result} passt nicht zu einer Partie mit {sides} Seiten",
    "problem.result-nobody": "mit {result} gewinnt niemand; so endet nur ein Nichtantritt",
    "problem.result-bye": "ein Freilos hat das Ergebnis 1, 1/2 oder 0, nicht {result}",
    "problem.result-differ": "das Tag Result sagt {tag}, die Züge {result}",
    "problem.result-wrong": "das Ergebnis {result} ist nicht das der Partie",
    "problem.result-open": "alle Stiche sind da, aber das Ergebnis ist *",
    "problem.result-missing": "alle Stiche sind da, aber das Ergebnis fehlt",
    "problem.ended": "{text}; die Partie endete {result}",
    "problem.votes": "die gewonnenen Fraktionen {written} sind nicht die der Partie: {votes}",
    "problem.loot-unknown": "welche Waschbären Beute zeigen, ist nicht festgehalten (LootCards): "
    "Kein Waschbär zählt doppelt",
    "problem.trolls": "die Regeln raten bei {seats} Spielern von Trollen ab",
    # Slips
    "slip": "Schreibfehler",
    "slip.replaced-card": "{written} steht für {mended}: damit ist die Partie gültig",
    "slip.replaced-card.open": "{written} steht für eine andere Karte; mit mehreren wäre die "
    "Partie gültig",
    "slip.transposed-plays": "{one} und {two} sind vertauscht: {mended}",
    "slip.transposed-plays.open": "{one} und {two} sind vertauscht",
    "slip.swapped-tricks": "die Stiche {one} und {two} sind vertauscht",
    "slip.swapped-draws": "{one} und {two} sind vertauscht",
    "slip.swapped-draws-far": "{one} und {two} aus Stich {number} sind vertauscht",
    "slip.exchanged-plays-far": "{one} und {two} aus Stich {number} sind vertauscht",
    "slip.missing-comma": "das Komma zwischen den aufgedeckten Karten fehlt: {mended}",
    "slip.wrong-colon": "{written} steht für {mended}",
    "slip.wrong-numbers": "die Nummern sind ab Stich {number} um {by} zu hoch",
    "slip.wrong-numbers-low": "die Nummern sind ab Stich {number} um {by} zu niedrig",
    "slip.missing-play": "hier fehlt eine Karte: {mended}",
    "slip.missing-play.open": "eine Karte fehlt",
    "slip.missing-colon": "der Doppelpunkt nach der aufgedeckten Karte fehlt: {mended}",
    "slip.missing-draw": "eine gezogene Karte fehlt: {mended}",
    "slip.missing-draw.open": "eine gezogene Karte fehlt; _ steht für eine unbekannte",
    "slip.missing-trick": "Stich {number} fehlt",
    "slip.written-twice": "{written} steht zweimal da",
    "slip.trick-twice": "Stich {number} steht zweimal da",
    "slip.trick-twice-numbered": "Stich {number} steht zweimal da, und die Nummern danach zählen "
    "weiter",
    "slip.wrong-leader": "Sitz {seat} hat zu Stich 1 ausgespielt, nicht Sitz {leader}: {mended}",
    "slip.wrong-leader.open": "ein anderer Sitz als {leader} hat zu Stich 1 ausgespielt",
    "slip.wrong-deck": "die Fraktionen sind {deck}, nicht {written}: {mended}",
    "slip.wrong-deck.open": "ein Buchstabe in {written} ist falsch",
    "slip.swapped-names": "{one} und {two} haben wohl die Plätze getauscht: umgekehrt stimmt das "
    "Ergebnis",
    "slip.name.replaced-card": "eine andere Karte",
    "slip.name.transposed-plays": "Karten in anderer Reihenfolge",
    "slip.name.swapped-tricks": "zwei vertauschte Stiche",
    "slip.name.swapped-draws": "zwei vertauschte Karten",
    "slip.name.missing-play": "eine fehlende Karte",
    "slip.name.missing-colon": "ein fehlender Doppelpunkt",
    "slip.name.missing-draw": "eine fehlende gezogene Karte",
    "slip.name.missing-trick": "ein fehlender Stich",
    "slip.name.written-twice": "etwas, das zweimal dasteht,",
    "slip.name.wrong-leader": "ein anderer Sitz, der ausspielt",
    "slip.name.wrong-deck": "ein anderer Buchstabe bei den Fraktionen",
    "slip.name.missing-comma": "ein fehlendes Komma",
    "slip.name.wrong-colon": "ein Doppelpunkt",
    "slip.name.wrong-numbers": "falsche Nummern",
    "slip.name.exchanged-plays": "vertauschte Karten zweier Stiche",
    "slip.name.swapped-names": "Spieler auf anderen Sitzen",
    "slip.places": "auch ein Schreibfehler würde das erklären: {places}",
    "slip.failed": "Hinweis: die Suche nach einem Schreibfehler, der diese Fehler erklärt, ist "
    "gescheitert ({why}); die Fehler selbst sind vollständig. Bitte mit dieser Aufzeichnung melden",
    "slip.in": "{name} in {where}",
    "slip.follows.one": "{number} Fehler folgt daraus (--all zeigt ihn)",
    "slip.follows.other": "{number} Fehler folgen daraus (--all zeigt sie)",
    "slip.more.one": "{number} weiterer Fehler fiele damit weg (--all zeigt ihn)",
    "slip.more.other": "{number} weitere Fehler fielen damit weg (--all zeigt sie)",
}
