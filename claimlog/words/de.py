"""Die deutschen Texte."""

from typing import Final

TEXTS: Final = {
    "list": "{first} und {last}",
    "either": "{first} oder {last}",
    "thousands": ".",
    # The game and its tags
    "game": "Partie {number}",
    "game-of": "Partie {number} von {total}",
    "Event": "Turnier",
    "Site": "Ort",
    "Date": "Datum",
    "Round": "Runde",
    "Table": "Tisch",
    "Start": "Beginn",
    "End": "Ende",
    "Deck": "Deck",
    "Rules": "Regeln",
    "Rulings": "Auslegung",
    "Scenario": "Szenario",
    "Annotator": "Kommentiert von",
    "Recorder": "Schreiber",
    "Director": "Turnierleitung",
    "LootCards": "Beute-Waschbären",
    "Termination": "Beendet durch",
    "Result": "Ergebnis",
    "round": "Runde {number}",
    "table": "Tisch {number}",
    "deck-unknown": "unbekannt",
    "rating": "Wertung {rating}",
    "termination.normal": "Spielende",
    "termination.resignation": "Aufgabe",
    "termination.time": "Zeitüberschreitung",
    "termination.forfeit": "Nichtantritt",
    "termination.adjudication": "Schiedsspruch",
    "termination.abandoned": "Abbruch",
    "unfinished": "nicht beendet",
    # Seats, sides, views
    "seat": "Platz {number}",
    "side": "Seite {number}",
    "side-of": "Seite {number} ({names})",
    "side-short": "Seite {number}",
    "partner": "Partner: {name}",
    "view-seat": "was {name} sehen konnte",
    "view-spectator": "was Zuschauer sehen konnten",
    # The table
    "phase": "Phase {number}",
    "phase-1": "Phase 1: Anhänger rekrutieren",
    "phase-2": "Phase 2: Fraktionen gewinnen",
    "trick": "Stich {number}",
    "trick-of": "Stich {number} von {total}",
    "upcards.one": "Aufgedeckt",
    "upcards.other": "Aufgedeckt",
    "upcards-none": "Aufgedeckte Karten unbekannt",
    "draw-pile": "Nachziehstapel {number}",
    "auto-trick": "vom Automaten gewonnen",
    "role.lead": "spielt aus",
    "role.follow": "bedient",
    "role.double": "bedient mit Doppelgänger",
    "role.knight": "Ritter schlägt Kobolde",
    "role.off": "bedient nicht",
    "role.discard": "legt verdeckt ab",
    "role.unknown": "nicht lesbar",
    "counts": "zählt {value}",
    "irregular": "so belassen",
    "wins": "gewinnt",
    "rank": "{number}.",
    "taken.upcard": "nimmt {card}",
    "taken.upcard-unknown": "nimmt eine offene Karte",
    "taken.hidden": "zieht {card}",
    "taken.hidden-unknown": "zieht verdeckt",
    "taken.seer": "nimmt {card}, verdeckt",
    "taken.seer-unknown": "nimmt die verdeckte",
    "to-play": "{name} ist am Zug.",
    "to-lead": "{name} spielt aus.",
    "to-discard": "{name} legt ab.",
    "stops": "Hier endet die Aufzeichnung.",
    "hands": "Handkarten",
    "followers": "Anhänger",
    "unknown-cards.one": "{number} unbekannt",
    "unknown-cards.other": "{number} unbekannt",
    "no-cards": "keine",
    "piles": "Punktestapel",
    "open-mark": " (offen)",
    "waiting": "Wartende Trolle",
    "removed": "Entfernte Gnome",
    "removed-in": "{card} von {name} (Stich {number})",
    "comment": "Kommentar",
    "on-card": "zu {card}",
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
    "why.mark": "{name} gewinnt: So sagt es das Zeichen +; nicht alle Karten sind lesbar.",
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
    "known-to.one": "Die Partie ist nur {number} Stich weit bekannt.",
    "known-to.other": "Die Partie ist nur {number} Stiche weit bekannt.",
    "no-tricks": "Kein Stich ist bekannt.",
    "error-count.one": "{number} Fehler",
    "error-count.other": "{number} Fehler",
    "error": "Fehler, Zeile {line}, Spalte {column}: {message}",
    "warning": "Warnung, Zeile {line}, Spalte {column}: {message}",
    # The problems of a record
    "problem.in-trick": "Stich {number}: {text}",
    "problem.seat": "Platz {number}",
    "problem.encoding": "das ist kein UTF-8; gelesen wurde es, als stünde an Stelle der falschen "
    "Bytes {written!r}",
    "problem.token": "{written!r} ist nicht lesbar: Hier steht eine Karte (G5), eine Nummer (7.) "
    "oder ein Ergebnis",
    "problem.tag": 'dieser Tag ist nicht lesbar; ein Tag ist eine Zeile wie [Event "Zurich Open"]',
    "problem.after-tag": "{written!r} nach dem Tag: Ein Tag steht allein auf seiner Zeile",
    "problem.open-comment": "dieser Kommentar wird nie mit }} geschlossen",
    "problem.space": "vor {written!r} muss ein Leerzeichen stehen",
    "problem.colon": "nach aufgedeckten Karten steht ein Doppelpunkt: {written}:",
    "problem.mark": "{written!r} kann hier nicht stehen; +, ^ und eine Bewertung folgen auf eine "
    "gespielte Karte",
    "problem.list": "nach dem Komma muss eine Karte stehen",
    "problem.order": "gezogene und gewählte Karten folgen auf alle gespielten eines Stichs; "
    "{written} steht danach",
    "problem.length": "diese Partie ist länger, als eine sein kann; der Rest wurde übergangen",
    "problem.version": "diese Version des Formats ist nicht bekannt; sie ist 1",
    "problem.duplicate-tag": "der Tag {tag} steht zweimal da; der erste zählt",
    "problem.bad-tag": "{tag} ist nicht lesbar: {shown!r}; {wanted}",
    "wanted.date": "ein Datum schreibt man JJJJ-MM-TT, mit ?? oder ???? für Unbekanntes",
    "wanted.day": "einen Tag {value} gibt es nicht",
    "wanted.time": "eine Zeit schreibt man nach ISO 8601 mit Abstand von UTC, wie "
    "2026-11-14T19:30:00+01:00",
    "wanted.rating": "eine Wertung ist eine Zahl, wie 1630",
    "wanted.votes": "gewonnene Fraktionen schreibt man 3-2, eine Zahl für jede Seite",
    "wanted.names": "möglich sind {names}",
    "wanted.leader": "es ist ein Platz von 1 bis {seats}",
    "wanted.result": "man schreibt 1-0, 1/2-1/2 oder *",
    "wanted.loot": "man schreibt 1=W 2=G, mit Seiten von 1 bis {sides} und Buchstaben von "
    "Fraktionen",
    "wanted.loot-cards": "genannt werden Waschbären, wie R2 R5",
    "wanted.cards": "genannt werden Karten, durch Leerzeichen getrennt, _ für eine unbekannte",
    "problem.alone": "allein ist es keine Partie: Claim spielt man zu zweit, zu dritt oder zu "
    "viert",
    "problem.gap.one": "{names} fehlt: Spieler werden ohne Lücke gezählt",
    "problem.gap.other": "{names} fehlen: Spieler werden ohne Lücke gezählt",
    "problem.no-deck": 'der Tag Deck fehlt; er nennt die Fraktionen, wie [Deck "GKUWX"]',
    "problem.empty-deck": 'das Deck ist leer; es nennt die Fraktionen, wie [Deck "GKUWX"]',
    "problem.deck": "das Deck {deck}: {problem}",
    "deck.letter": "{letter!r} ist keine Fraktion",
    "deck.twice": "{factions} ({letter}) stehen zweimal da",
    "deck.classic": "Classic kennt keine {factions}",
    "deck.pair": "ein Deck hat genau eines der Paare {pairs}, und das ganz",
    "deck.tens": "mit {seats} Spielern hat ein Deck neben dem Paar {wanted} Fraktionen zu zehn "
    "Karten, nicht {number}",
    "problem.ruling": "eine solche Auslegung gibt es nicht: {value!r}; es gibt {known}",
    "problem.no-letter": "eine Karte {card} gibt es nicht: Keine Fraktion hat den Buchstaben "
    "{letter}",
    "problem.no-value": "eine Karte {card} gibt es nicht: {faction} haben die Werte {values}",
    "problem.not-in-deck": "{card} kann nicht gespielt werden: {faction} sind nicht im Deck {deck}",
    "problem.count.one": "im Deck ist nur eine {card}",
    "problem.count.other": "im Deck sind nur {number} {card}",
    "problem.played-by": "; schon gespielt von {places}",
    "problem.seat-in-trick": "{seat} in Stich {number}",
    "problem.stands-in": "; sie steht schon in {places}",
    "problem.trick": "Stich {number}",
    "problem.raccoons": "das wäre ein elfter Waschbär: Vier der vierzehn werden entfernt, zehn "
    "sind im Deck",
    "problem.number": "das ist Stich {number}, nicht {written}",
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
    "problem.plays-few": "der Stich hat {number} von {seats} Karten; von hier an weiß niemand, "
    "wer ausspielt, und nur die Karten werden geprüft",
    "problem.over": "die Partie ist nach {number} Stichen zu Ende; es darf nur noch das Ergebnis "
    "folgen",
    "problem.no-draw": "hier zieht niemand eine verdeckte Karte: Sie ging an den Seher",
    "problem.draws.one": "in diesem Stich wird {number} verdeckte Karte gezogen, nicht {drawn}",
    "problem.draws.other": "in diesem Stich werden {number} verdeckte Karten gezogen, nicht "
    "{drawn}",
    "problem.draws-twice": "gezogene Karten stehen in diesem Stich zweimal",
    "problem.revoke": "{seat} hat {faction} nicht bedient; {proof}",
    "problem.legal": "{proof} (erlaubt: {cards})",
    "problem.held-played": "auf der Hand war noch {card}, gespielt in Stich {number}",
    "problem.held-discarded": "auf der Hand war noch {card}, abgelegt in Stich {number}",
    "problem.held-taken": "auf der Hand war noch {card}, genommen in Stich {number}",
    "problem.held-hand": "auf der Hand war noch {card}, die Hand{seat} nennt",
    "problem.held": "auf der Hand waren noch {faction}",
    "problem.irregular": "{revoke}; mit ^ bezeichnet: Die Turnierleitung hat es so belassen",
    "problem.needless": "das Zeichen ^ ist nicht nötig: {seat} durfte {card} spielen",
    "problem.not-held": "{seat} kann {card} nicht haben: {reason}",
    "problem.all-known": "alle in Phase 1 genommenen Karten sind bekannt",
    "problem.it-played": "{seat} hat sie in Stich {number} gespielt",
    "problem.it-discarded": "{seat} hat sie in Stich {number} abgelegt",
    "problem.it-took": "{seat} hat sie in Stich {number} genommen",
    "problem.never-plays": "{reason}; nie gespielt wird {cards}",
    "problem.taken-in": "{card} (genommen in Stich {number})",
    "problem.hand-size": "{tag} hat {number} Karten; bei {seats} Spielern hat eine Hand {wanted}",
    "problem.pile-size": "Pile hat {number} Karten; der Nachziehstapel hat {wanted}",
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
    "problem.no-loot": "Seite {side} hat Beute und muss sagen, wofür sie zählt: [Loot "
    '"{side}=..."] mit einer von {factions}',
    "problem.bad-pick": "{seat} kann nur eine der aufgedeckten Karten wählen",
    "problem.pick-for-two": "zu zweit wählt niemand: Wer gewinnt, nimmt die aufgedeckte Karte",
    "problem.no-seer": "{seat} hat nicht mit einem Seher gewonnen und kann die verdeckte Karte "
    "nicht nehmen",
    "problem.late-choice": "in Phase 2 wird nichts gezogen und nichts gewählt",
    "problem.choice-twice": "diese Wahl steht in dem Stich zweimal",
    "problem.bad-loot": "die Beute von Seite {side} kann nicht für {faction} zählen: Am wenigsten "
    "Karten hat sie von {factions}",
    "problem.needless-loot": "Seite {side} hat keinen Waschbären mit Beute",
    "problem.incomplete": "{number} von {total} Stichen sind da; eine abgebrochene Partie hat das "
    "Ergebnis * oder eine Termination",
    "problem.result-parts": "das Ergebnis {result} passt nicht zu einer Partie mit {sides} Seiten",
    "problem.result-differ": "der Tag Result sagt {tag}, die Züge {result}",
    "problem.result-wrong": "das Ergebnis {result} ist nicht das der Partie",
    "problem.result-open": "alle Stiche sind da, aber das Ergebnis ist *",
    "problem.ended": "{text}; die Partie endete {result}",
    "problem.votes": "die gewonnenen Fraktionen {written} sind nicht die der Partie: {votes}",
    "problem.loot-unknown": "Waschbären sind im Deck, aber LootCards fehlt: Kein Waschbär zählt "
    "doppelt",
    "problem.trolls": "die Regeln raten bei {seats} Spielern von Trollen ab",
    # The command
    "no-game": "{file} enthält keine Partie.",
    "no-such-game.one": "{file} enthält {number} Partie; eine Partie {wanted} gibt es nicht.",
    "no-such-game.other": "{file} enthält {number} Partien; eine Partie {wanted} gibt es nicht.",
    "no-such-trick.one": "Partie {game} hat {number} Stich; einen Stich {wanted} gibt es nicht.",
    "no-such-trick.other": "Partie {game} hat {number} Stiche; einen Stich {wanted} gibt es nicht.",
    "bad-hide": "--hide ist ein Platz (1 bis 4) oder spectator, nicht {value}.",
    "no-such-seat": "Partie {game} hat {number} Plätze; einen Platz {wanted} gibt es nicht.",
    "json-alone": "--format json schreibt ganze Partien mit offenen Karten: Weder --trick noch "
    "--hide passen dazu.",
    "unreadable": "{file} kann nicht gelesen werden: {why}",
    # Stepping through
    "keys": "←→ Karte  ↑↓ Stich  g geh zu  n p Partie  Leer auto  v Sicht  ? Hilfe  q Ende",
    "help-title": "Tasten",
    "help.play": "nächste und vorige Karte",
    "help.trick": "nächster und voriger Stich",
    "help.ends": "Anfang und Ende der Partie",
    "help.go": "zu einem Stich gehen (Zahl, Eingabetaste)",
    "help.game": "nächste und vorige Partie",
    "help.go-game": "zu einer Partie gehen (Zahl, Eingabetaste)",
    "help.auto": "von selbst weiterspielen, anhalten",
    "help.speed": "schneller, langsamer",
    "help.view": "wessen Karten man sieht",
    "help.scroll": "blättern",
    "help.help": "diese Hilfe",
    "help.quit": "beenden",
    "help.marks": "Zeichen",
    "help.mark-won": "diese Karte hat den Stich gewonnen",
    "help.mark-annotation": "gut, Fehler, glänzend, Patzer, interessant, zweifelhaft",
    "help.mark-irregular": "falsch bedient, von der Turnierleitung so belassen",
    "help.mark-unknown": "eine verdeckte oder unbekannte Karte",
    "help.close": "Jede Taste schließt die Hilfe.",
    "key.space": "Leertaste",
    "key.page": "Bildtasten",
    "go-trick": "Gehe zu Stich: {typed}",
    "go-game": "Gehe zu Partie: {typed}",
    "auto": "auto {seconds} s",
    "first-game": "Das ist die erste Partie.",
    "last-game": "Das ist die letzte Partie.",
    "view-open": "Alle Karten sind offen.",
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
    "classic-knows": "Auch im Grundspiel und in Claim 2 (Regelwerk Classic).",
    "classic-not": "Nicht im Regelwerk Classic.",
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
    "rules-hint": "claimlog rules FRAKTION sagt mehr, nach Zeichen oder Name.",
    "no-faction": "Eine Fraktion {name!r} gibt es nicht.",
    "did-you-mean": "Gemeint: {names}?",
    "factions-are": "Es gibt {names}.",
    "power.G": "Keine. Sie sind die größte Fraktion.",
    "power.K": "Sind Kobolde angespielt, stehen Ritter über allen Kobolden und Doppelgängern, "
    "gleich mit welchem Wert. Wer einen Kobold hat, muss trotzdem bedienen. Ein angespielter "
    "Doppelgänger ist kein Kobold.",
    "power.N": "Gewonnene Gnome liegen offen vor dem Gewinner des Stichs. Riesen können sie "
    "entfernen; was am Ende noch liegt, kommt auf den Punktestapel.",
    "power.I": "Für jeden Riesen im Stich entfernt dessen Gewinner einen Gnom mit dem "
    "aufgedruckten Wert des Riesen aus der Auslage jedes Gegners, nie aus der des Partners.",
    "power.M": "Sie halten Bauern. Ein König hält die Bauern seines Wertes und die mit bis zu drei "
    "weniger im selben Punktestapel.",
    "power.P": "Am Ende bleibt ein Bauer nur, wenn im selben Punktestapel ein König mit gleichem "
    "oder um bis zu drei höherem Wert liegt. Alle anderen gehen gleichzeitig zum Gegner (zu dritt "
    "zum nächsten Platz im Uhrzeigersinn) und bleiben dort. Der Bauer 0 geht immer.",
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
    "Seite die wenigsten Karten hat; null zählt mit, auch die Waschbären selbst. Sind mehrere "
    "gleich klein, wählt die Seite eine für alle Beute. Gezählt wird, nachdem die Bauern gegangen "
    "sind; bei Gleichstand zählt ihr Wert nicht. Das Tag LootCards nennt die Waschbären mit Beute.",
    "power.S": "Wer einen Stich mit einem Seher gewinnt, darf die oberste verdeckte Karte ansehen "
    "und sie statt einer offenen nehmen. Zu zweit bekommt der Verlierer dann die offene; zu dritt "
    "und viert wählt der Zweite eine offene, der Dritte nimmt die andere, der Vierte zieht.",
    "power.T": "Der Gewinner nimmt je Stich einen Troll, den höchsten aller liegenden und "
    "gespielten. Die anderen bleiben für spätere Stiche; wer den letzten Stich gewinnt, nimmt alle "
    "übrigen.",
    "power.U": "Gespielte Untote kommen auf den Punktestapel des Gewinners. Ein aufgedeckter "
    "Untoter kommt wie üblich zu den Anhängern.",
    "power.V": "Ein Wikinger zählt doppelt, wenn irgendeine andere Karte im selben Punktestapel "
    "seinen Wert hat.",
    "power.W": "Zu zweit gehen alle Zwerge eines Stichs an dessen Verlierer; zu dritt und viert an "
    "den, der den niedrigsten Wert gleich welcher Fraktion gespielt hat, bei Gleichstand zuletzt.",
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
}
