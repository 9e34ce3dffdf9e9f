"""The German texts of the rules: what powers do, and why something happened."""

from typing import Final

TEXTS: Final = {
    # The rules
    "rules-title": "Die Fraktionen",
    "rules-of": "{name} ({letter})",
    "cards": "Karten",
    "values": "Werte",
    "acts": "Wirkt",
    "in.none": "–",
    "in.1": "Phase 1",
    "in.2": "Phase 2",
    "in.both": "beide Phasen",
    "in.end": "Spielende",
    "pair-with": "Ein Paar mit {name}: Beide sind im Deck oder keine.",
    "ten": "Eine der Fraktionen mit zehn Karten.",
    "raccoons-used": "{number} von {total} sind im Spiel: Vier werden unbesehen entfernt.",
    "from-base": "Aus dem Grundspiel, und in der limitierten Ausgabe von 2023; auch im Regelwerk "
    "Classic.",
    "from-claim-2": "Aus Claim 2, und in der limitierten Ausgabe von 2023; auch im Regelwerk "
    "Classic.",
    "from-limited": "Neu in der limitierten Ausgabe von 2023; nicht im Regelwerk Classic.",
    "decks": "Decks",
    "decks-2": "2 Spieler: ein Paar ({pairs}) und {tens} Fraktionen mit zehn Karten, {cards} "
    "Karten; {number} Decks.",
    "decks-more": "3 oder 4 Spieler: ein Paar ({pairs}) und {tens} Fraktionen mit zehn Karten, "
    "{cards} Karten; {number} Decks.",
    "decks-classic": "Das Regelwerk Classic kennt nur {letters}: {two} Decks für 2 Spieler, "
    "{more} für mehr.",
    "rulings-title": "Auslegungen",
    "rulings-lead": "Wo die Spielregeln schweigen oder sich widersprechen, wählt das Tag Rulings, "
    'etwa [Rulings "trolls=line"]:',
    "default": "Vorgabe",
    "default-classic": "Vorgabe in Classic",
    "rulings-of": "Auslegung {key}",
    "rules-hint": "Mehr mit claimlog rules FRAKTION, nach Buchstabe oder Name.",
    "no-faction": "Eine Fraktion {name!r} gibt es nicht.",
    "did-you-mean": "Gemeint: {names}?",
    "factions-are": "Es gibt {names}.",
    "power.G": "Kobolde haben keine Fähigkeit, aber es gibt vierzehn von ihnen.",
    "power.K": "Sind Kobolde angespielt, stehen Ritter über allen Kobolden und Doppelgängern, "
    "gleich mit welchem Wert. Wer einen Kobold hat, muss trotzdem bedienen. Ein angespielter "
    "Doppelgänger ist kein Kobold.",
    "power.N": "Gewonnene Gnome liegen offen vor dem Gewinner des Stichs. Riesen können sie "
    "entfernen; was am Ende noch liegt, kommt auf den Punktestapel.",
    "power.I": "Für jeden Riesen im Stich entfernt dessen Gewinner einen Gnom mit dem "
    "aufgedruckten Wert des Riesen aus der Auslage jedes Gegners, nie aus der des Partners.",
    "power.M": "Könige halten Bauern: Ein König hält im selben Punktestapel die Bauern seines "
    "Wertes und die mit bis zu drei weniger.",
    "power.P": "Am Ende bleibt ein Bauer nur, wenn im selben Punktestapel ein König mit gleichem "
    "oder um bis zu drei höherem Wert liegt. Alle anderen gehen gleichzeitig zum Gegner (zu dritt "
    "zum nächsten Sitz im Uhrzeigersinn) und bleiben dort. Der Bauer 0 geht immer.",
    "power.A": "Wer einen Stich mit einem Automaten gewinnt, gewinnt auch den nächsten: Alle legen "
    "eine Karte verdeckt ab, die Karten werden wie nach einem gewonnenen Stich genommen, und der "
    "Gewinner spielt aus. Für verdeckte Karten gilt keine Fähigkeit. Folgt in Phase 1 kein Stich "
    "mehr, geschieht nichts; einem Drachen im selben Stich geht der Automat vor.",
    "power.B": "Die Seite mit der längsten Straße aufeinanderfolgender Barden gewinnt die "
    "Fraktion; bei gleich langen entscheidet die normale Wertung.",
    "power.D": "Wer als letzte Karte des Stichs einen Drachen spielt, spielt zum nächsten aus, "
    "gleich wer gewonnen hat.",
    "power.F": "Eine Karte zählt +5, wenn im eigenen Punktestapel schon ein Greif mit ihrem "
    "aufgedruckten Wert liegt. Das ändert ihren Rang und den niedrigsten Wert für die Zwerge; für "
    "alles andere gilt der aufgedruckte Wert.",
    "power.R": "Jeder Waschbär mit Beutesymbol zählt zusätzlich für die Fraktion, von der seine "
    "Seite die wenigsten Karten hat. Auch gar keine Karten sind die wenigsten, und auch die "
    "Waschbären selbst können diese Fraktion sein. Sind mehrere gleich klein, wählt die Seite "
    "eine davon für alle Beute. Die Beute wird gezählt, nachdem die Bauern gegangen sind; bei "
    "Gleichstand zählt ihr Wert nicht. Das Tag LootCards nennt die Waschbären mit Beute.",
    "power.S": "Wer in Phase 1 einen Stich mit einem Seher gewinnt, darf die oberste verdeckte "
    "Karte ansehen und sie statt einer offenen nehmen. Zu zweit bekommt der Verlierer dann die "
    "offene; zu dritt und viert wählt der Zweite eine offene, der Dritte nimmt die andere, der "
    "Vierte zieht.",
    "power.T": "In Phase 2 nimmt der Gewinner eines Stichs einen Troll, den höchsten aller "
    "wartenden und gespielten. Die anderen warten auf spätere Stiche; wer den letzten Stich "
    "gewinnt, nimmt alle übrigen.",
    "power.U": "In Phase 1 gespielte Untote kommen auf den Punktestapel des Gewinners. Ein "
    "aufgedeckter Untoter kommt wie üblich zu den Anhängern.",
    "power.V": "Ein Wikinger zählt am Ende doppelt, wenn irgendeine andere Karte im selben "
    "Punktestapel seinen Wert hat.",
    "power.W": "Alle Zwerge eines Stichs in Phase 2 gehen zu zweit an den, der den Stich "
    "verliert. Zu dritt und zu viert gehen sie an den, der den niedrigsten Wert gleich welcher "
    "Fraktion gespielt hat; bei gleichen Werten entscheidet die später gespielte Karte.",
    "power.X": "Ein Doppelgänger darf statt der angespielten Fraktion gespielt werden. Er zählt "
    "dann mit seinem eigenen Wert zu dieser Fraktion, hat aber keine ihrer Fähigkeiten. "
    "Angespielte Doppelgänger sind eine eigene Fraktion.",
    "ruling.trolls": "Welchen Troll der Gewinner eines Stichs nimmt",
    "ruling.trolls.highest": "den höchsten aller liegenden und eben gespielten",
    "ruling.trolls.line": "den höchsten eben gespielten, sonst den, der am längsten wartet; "
    "übrige stellen sich an, der höchste zuerst",
    "ruling.dragons": "Wessen Drache das Ausspiel bringt",
    "ruling.dragons.last-card": "nur ein Drache als letzte Karte des Stichs",
    "ruling.dragons.last-dragon": "3 oder 4 Spieler: der letzte Drache des Stichs, wo immer er "
    "gespielt wurde",
    "ruling.automatons": "Wann ein Automat auch den nächsten Stich gewinnt",
    "ruling.automatons.won-by": "wenn der Stich mit einem Automaten gewonnen wurde",
    "ruling.automatons.played": "wenn irgendjemand im Stich einen Automaten gespielt hat",
    "ruling.raccoons": "Wo die zehn Waschbären eingemischt werden",
    "ruling.raccoons.deck": "ins ganze Deck vor dem Austeilen; erlaubt sind beide Arten zu geben",
    "ruling.raccoons.pile": "nur in den Nachziehstapel: Ein Waschbär auf einer Starthand ist ein "
    "Fehler",
    "doubt.word": "{card} passt jetzt nicht.",
    "doubt.card": "Es gibt keine Karte {card}.",
    "doubt.deck": "{faction} sind nicht in diesem Deck.",
    "doubt.out": "{card} ist schon draußen: Stich {trick}, {name}.",
    "doubt.out-upcard": "{card} ist schon draußen: offene Karte von Stich {trick}.",
    "doubt.follow": "{name} hat Karten der ausgespielten Fraktion und muss bedienen.",
    "doubt.void": "{name} hat in Stich {trick} {faction} nicht bedient (mit {was}), also "
    "kann {card} nicht in dieser Hand sein.",
    "doubt.hand": "{card} kann dort nicht sein: Es steht fest, wo sie sein muss oder welche "
    "Karten {name} hat.",
    "doubt.pick": "Zuerst: Welche offene Karte nahm {name}?",
    "doubt.then": "Dann hätte Stich {trick} nicht so ablaufen können.",
    "doubt.place": "An dieser Stelle ist nichts zu ändern.",
    "doubt.follows": "{card} ergibt sich aus der Partie oder daraus, wie sie beendet wurde.",
    "doubt.record": "So stimmt die Aufzeichnung nicht: {message}",
    "due.turn-up": "Die offene Karte fehlt.",
    "due.look": "{name} gewann mit einem Seher: ~ und Karte, ~_ ungesehen; liegt noch: weiter.",
    "due.pick": "Welche offene Karte nahm {name}: {cards}?",
    "due.draw": "{name} zieht (/ und Karte, falls gesehen).",
    "due.loot": "{name}: Wofür zählt die Beute? {letters}",
    "due.over": "Das Spiel ist aus.",
    "record.saved": "gesichert",
    "record.unsaved": "NICHT GESICHERT",
    "record.paused": "Pause",
    "record.unseen": "Ungesehen",
    "record.enter": "Enter: nächster Stich",
    "record.close": "Enter: fertig",
    "record.legal": "Erlaubt: {cards}",
    "record.retype": "{word} war vertippt: die richtige Karte tippen",
    "record.happened": "es war so: nicht bedient, und es bleibt dabei",
    "record.earlier": "{was} in Stich {trick} war eine andere Karte: diese tippen",
    "record.later-stands": "später entscheiden: es steht vorerst, die Turnierleitung wird gefragt",
    "record.later": "später entscheiden: was getippt wird, wartet ohne Klingeln",
    "record.asked": "Für die Turnierleitung: Stich {trick}, {card} von {name} (entschieden: ^l, "
    "wählen, !)",
    "record.drop": "{word} wurde nicht gespielt: entfernen",
    "record.first": "{name} nahm {card}",
    "record.again": "noch einmal sichern",
    "record.choose": "↑ ↓ und Enter: antworten   ⌫: zuletzt Getipptes zurück   Esc: alles",
    "record.behind": "Seither getippt, wartet: {keys}",
    "record.instead": "Statt {was} in Stich {trick}:",
    "record.instead-word": "Statt {was}:",
    "record.no-value": "Welcher Wert? {faction} ist genannt, aber kein Wert.",
    "record.no-faction": "Welche Fraktion? Nur wer bedient, tippt den Wert allein. {letters}",
    "record.no-card": "ist keine Karte. {letters}",
    "record.no-letter": "{letter} ist keine Fraktion. Im Deck: {letters}. ⌫ nimmt es zurück.",
    "record.no-loot": "ist nicht möglich. {letters}",
    "record.no-key": "Diese Taste tut hier nichts.",
    "record.back": "Im Deck: {letters}. ⌫ nimmt es zurück.",
    "record.away": "Weggenommen: {keys}",
    "record.first-answer": "Zuerst entscheiden, was aus {word} wird: ↑ ↓ und Enter.",
    "record.first-instead": "Zuerst die richtige Karte tippen; Esc: zurück zu den Antworten.",
    "record.first-text": "Enter nimmt den Text, Esc lässt ihn weg.",
    "record.first-type": "Zuerst {word} fertig tippen oder zurücknehmen (⌫).",
    "record.not-in": "Nicht in der Aufzeichnung: {keys}. ^q noch einmal verlässt sie "
    "trotzdem, Esc bleibt.",
    "record.aside": "Wartet, neben der Aufzeichnung gesichert: {keys}. ^q noch einmal: raus, Esc: "
    "bleiben.",
    "record.undone": "Zurückgenommen: {words}   (^y gibt die nächste ein, Esc vergisst sie)",
    "record.enter-card": "Enter: {word}",
    "record.assumed": "Gezählt nach: {rules}",
    "record.more-help": "?: weiter",
    "record.close-help": "Jede andere Taste geht weiter.",
    "record.tricks": "Die bisherigen Stiche",
    "record.tricks-keys": "↑ ↓ ← →; Enter oder Esc: zurück",
    "record.mend-how": "← →: Karte wählen   ^w: falscher Spieler   +: Stich einfügen   Entf: "
    "löschen",
    "record.mend-card": "Die richtige Karte tippen",
    "record.mend-play": "Tab: mit dem Nächsten tauschen   !: Turnierleitung",
    "record.mend-pick": "=: die andere offene Karte wurde genommen",
    "record.mend-look": "~: der Seher entschied anders",
    "record.mend-deleted": "Entfernt: Stich {tricks}.",
    "record.mended.one": "{number} Stich verläuft anders (*).",
    "record.mended.other": "{number} Stiche verlaufen anders (*).",
    "record.mend-stops": "In Stich {trick} geht es nicht weiter: {why}",
    "record.mend-rest": "Danach noch einmal einzugeben (^y): {words}",
    "record.mend-take": "Enter: übernehmen   ⌫: letzte Änderung zurück   Esc: Änderungen verwerfen",
    "record.mend-first": "Erst die Änderung übernehmen (Enter) oder verwerfen (Esc).",
    "record.mend-left": "Nichts wurde geändert.",
    "record.mend-taken": "Geändert. ⌫ nimmt es zurück.",
    "record.mark-play": "Erst eine gespielte Karte wählen (← →).",
    "record.turn-later": "Wer ausspielt, folgt aus dem Stich davor: diesen ändern oder warten, "
    "bis alle gespielt haben.",
    "record.ask-insert": "Karten des vergessenen Stichs, der Reihe nach (X9 U3 U6):",
    "record.help-turn": "falscher Spieler: dreht die Reihenfolge des letzten Stichs (in Stich 1: "
    "wer ausspielt)",
    "record.no-tag": "Ein Tag {name} gibt es nicht. Ist {near} gemeint?",
    "record.nothing": "Es gibt nichts zurückzunehmen oder zu wiederholen.",
    "record.note": "Notiz:",
    "record.ask-end": "Ergebnis, warum (1-0 Aufgabe, 0-1 Schiedsspruch, 1-0 Zeit):",
    "record.ask-end-of-three": "Ergebnis, warum (1-0-0 Schiedsspruch, 1/2-1/2-0 Aufgabe, "
    "1/3-1/3-1/3 Zeit):",
    "record.agreed": "Was vereinbart ist",
    "record.leader": "Beginnt Stich 1",
    "record.loot": "Beute",
    "record.other-tag": "Anderes Tag",
    "record.choose-one": "← → wählen.",
    "record.mark-seat": "Erst einen Sitz wählen (↑ ↓): Tab tauscht ihn mit dem nächsten.",
    "record.known-as": "Im Archiv: {names}. Tab nimmt {name}.",
    "record.agreed-typing": "Enter: fertig   Esc: lassen, wie es war",
    "record.agreed-seat": "↑ ↓   Namen tippen, →: ändern   Tab: mit dem Nächsten tauschen   ⌫: wie "
    "vorher",
    "record.agreed-text": "↑ ↓   neuen Text tippen, →: ändern   ⌫: wie vorher",
    "record.agreed-choice": "↑ ↓   ← →: wählen   ⌫: wie vorher",
    "record.agreed-other": "↑ ↓   Tag und Wert tippen, etwa Site Bern",
    "record.agreed-take": "Enter: übernehmen, die Karten bleiben   Esc: alles lassen, wie es war",
    "record.ask-mend": "Ändern: Stich, falsche Karte, richtige Karte (3 W8 W9):",
    "record.ask-fill": "Gezogen: Stich, Sitz, Karte (3 1 W5):",
    "record.not-so": "Nicht verstanden: {text}",
    "record.foot-undo": "zurück",
    "record.foot-redo": "vor",
    "record.foot-note": "Notiz",
    "record.foot-tricks": "Stiche",
    "record.foot-keys": "Tasten",
    "record.foot-mend": "ändern",
    "record.foot-end": "Ende",
    "record.foot-quit": "raus",
    "record.help-card": "eine Karte: offene, ausgespielte, zugegebene, gewählte offene",
    "record.help-value": "eine Karte der ausgespielten Fraktion",
    "record.help-draw": "eine gezogene Karte, gesehen oder nicht; kann wegbleiben",
    "record.help-look": "ein Seher nahm die verdeckte Karte, gesehen oder nicht, oder ließ sie",
    "record.help-discard": "bei einem Automaten: verdeckt abgelegt, niemand sah die Karte",
    "record.help-enter": "nächster Stich; beendet R1 oder P1, die R10 oder P10 sein könnten",
    "record.help-back": "letzte Taste oder Eingabe zurück; Esc: was nicht eingegeben ist",
    "record.help-undo": "zurücknehmen, wiederholen",
    "record.help-tricks": "die bisherigen Stiche: jede Karte, jeder Spieler, jeder Stich ist zu "
    "ändern",
    "record.help-mend": "eine Karte ändern: Stich, falsche Karte, richtige Karte",
    "record.help-fill": "eine früher gezogene Karte: Stich, Sitz, Karte",
    "record.help-note": "eine Notiz",
    "record.help-agreed": "was vereinbart ist: Namen, Sitze, wer beginnt, Deck, Regeln, Turnier",
    "record.help-clock": "die Zeit der Uhr; eine Pause",
    "record.help-end": "das Spiel wurde beendet (Aufgabe, Zeit); verlassen: alles ist gesichert",
    # Why a trick was won
    "why.alone": "{name} gewinnt mit {card}: Sonst hat niemand {faction} bedient.",
    "why.highest": "{name} gewinnt mit {card}: höchste Karte der angespielten Fraktion "
    "({faction}).",
    "why.knight": "{name} gewinnt mit {card}: Ein Ritter schlägt die angespielten Kobolde.",
    "why.knights": "{name} gewinnt mit {card}: Ritter schlagen die angespielten Kobolde, und er "
    "ist der höchste.",
    "why.double": "{name} gewinnt mit {card}: Der Doppelgänger zählt zur angespielten Fraktion "
    "({faction}) und ist die höchste Karte.",
    "why.first": "Gleicher Wert ({cards}): Die früher gespielte Karte steht höher.",
    "why.griffin": "{card} von {name} zählt {number}: +5 für {griffin} im eigenen Punktestapel.",
    "why.auto": "{name} gewinnt: Der Automat {card} aus Stich {number} gewinnt auch diesen Stich.",
    "why.mark": "{name} gewinnt nach dem Zeichen +; nicht alle Karten sind lesbar.",
    # What went where
    "out.pile": "{name} legt {cards} auf den Punktestapel.",
    "out.undead": "Untote: {name} legt {cards} auf den Punktestapel.",
    "out.seer": "Seher: {name} nimmt die verdeckte Karte statt einer offenen.",
    "out.dwarves-lost": "Zwerge: {cards} an {name} (Stich verloren).",
    "out.dwarves-lowest": "Zwerge: {cards} an {name} (niedrigster Wert: {number}).",
    "out.dwarves-later": "Zwerge: {cards} an {name} (niedrigster Wert, zuletzt gespielt: "
    "{number}).",
    "out.gnomes": "Gnome offen vor {name}: {cards}.",
    "out.giants": "Riesen: {cards} von {name} aus dem Spiel entfernt.",
    "out.troll": "Trolle: {name} nimmt {cards}.",
    "out.trolls-last": "Letzter Stich: {name} nimmt alle übrigen Trolle, {cards}.",
    # Who leads next
    "next.next-winner": "{name} hat gewonnen und spielt zu Stich {number} aus.",
    "next.next-dragon": "Der Drache {card} war die letzte Karte: {name} spielt zu Stich {number} "
    "aus.",
    "next.next-last-dragon": "{card} war der letzte Drache im Stich: {name} spielt zu Stich "
    "{number} aus.",
    "next.next-automaton": "Automat: {name} gewinnt auch Stich {number}.",
    "next.automaton-first": "Der Automat geht dem Drachen vor.",
    "next.automaton-late": "Der Automat bleibt ohne Wirkung: In Phase 1 folgt kein Stich mehr.",
    "next.phase-2": "Phase 2 beginnt: Die Anhänger sind die neuen Handkarten.",
    # The end
    "end-of-record": "Ende der Aufzeichnung",
    "end": "Spielende",
    "end.end-gnomes": "Gnome kommen auf den Punktestapel von {side}: {cards}.",
    "end.end-peasants": "Bauern ohne König gehen von {side} zu {other}: {cards}.",
    "end.end-loot.one": "Beute: {number} Waschbär von {side} zählt auch für {faction}.",
    "end.end-loot.other": "Beute: {number} Waschbären von {side} zählen auch für {faction}.",
    "faction": "Fraktion",
    "won-by": "Gewonnen von",
    "nobody": "niemand",
    "decided.count": "meiste Karten",
    "decided.run": "längste Straße",
    "decided.highest": "gleich viele, höchste Karte {card}",
    "decided.tie": "in allem gleich",
    "decided.none": "keine Karten",
    "decided.bards-count": "Straßen gleich, meiste Karten",
    "decided.bards-highest": "Straßen und Anzahl gleich, höchste Karte {card}",
    "run": "Straße {cards}",
    "loot.one": "{number} Beute",
    "loot.other": "{number} Beute",
    "votes": "Gewonnene Fraktionen",
    "tiebreak.cards": "Gleich viele Fraktionen: Die Zahl der Karten darin entscheidet ({numbers}).",
    "tiebreak.value": "Gleich viele Fraktionen: Die Summe der Kartenwerte darin entscheidet "
    "({numbers}).",
    "tiebreak.cards-value": "Gleich viele Fraktionen und Karten darin: Die Summe der Kartenwerte "
    "entscheidet ({numbers}).",
    "shared": "In allem gleich: geteilter Sieg.",
    "winner": "Sieg: {names}",
    "winners": "Sieg, geteilt: {names}",
    "not-counted": "Die Partie konnte nicht ausgezählt werden.",
    "stopped.one": "Die Aufzeichnung endet nach {number} Stich.",
    "stopped.other": "Die Aufzeichnung endet nach {number} Stichen.",
    "known-to.one": "Nur {number} Stich der Partie ist bekannt.",
    "known-to.other": "Nur {number} Stiche der Partie sind bekannt.",
    "no-tricks": "Kein Stich ist bekannt.",
    "error-count.one": "{number} Fehler",
    "error-count.other": "{number} Fehler",
    "error": "Fehler, Zeile {line}, Spalte {column}: {message}",
    "warning": "Warnung, Zeile {line}, Spalte {column}: {message}",
}
