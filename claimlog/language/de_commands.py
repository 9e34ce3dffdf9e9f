"""The German texts of the commands, by the English texts in the program."""

from typing import Final

from claimlog.language.de_directing import TEXTS as _OF_DIRECTING
from claimlog.language.de_records import TEXTS as _OF_RECORDS

TEXTS: Final[dict[str, str]] = {
    **_OF_RECORDS,
    **_OF_DIRECTING,
    # Help: the parts around the texts
    "Arguments": "Argumente",
    "Options": "Optionen",
    "Usage:": "Aufruf:",
    "Commands": "Befehle",
    "[default: {}]": "[Vorgabe: {}]",
    "[env var: {}]": "[Umgebungsvariable: {}]",
    "[required]": "[nötig]",
    "Show this message and exit.": "Diese Hilfe zeigen.",
    "Show the version.": "Die Version zeigen.",
    "Install completion for the current shell.": "Die Vervollständigung in der Shell einrichten.",
    "Show completion for the current shell, to copy it or customize the installation.": "Die "
    "Vervollständigung für die Shell zeigen, um sie selbst einzurichten.",
    "The language; by default that of the locale.": "Die Sprache; sonst die der Umgebung (Locale).",
    # Wrong calls
    "{name} is missing": "{name} fehlt",
    "see {command} --help": "mehr mit {command} --help",
    "did you mean {name}?": "gemeint: {name}?",
    "there is no command {name}; did you mean {near}?": "einen Befehl {name} gibt es nicht; "
    "gemeint: {near}?",
    "there is no command {name}": "einen Befehl {name} gibt es nicht",
    "there is no option {name}": "eine Option {name} gibt es nicht",
    "a command is missing": "es fehlt ein Befehl",
    "unexpected argument {name}": "unerwartetes Argument {name}",
    "{name} needs a value": "{name} braucht einen Wert",
    "{name} takes no value": "{name} erwartet keinen Wert",
    "{value} is not a whole number": "{value} ist keine ganze Zahl",
    "{value} is not a number": "{value} ist keine Zahl",
    "{value} is not in the range {range}": "{value} liegt nicht im Bereich {range}",
    "{value} is not one of {names}": "{value} ist nicht möglich, nur {names}",
    "interrupted": "abgebrochen",
    "another server of this archive keeps its tables in {folder}: give this one a data directory "
    "of its own, with XDG_DATA_HOME": "ein anderer Server dieses Archivs hat seine Tische in "
    "{folder}: Bitte diesem mit XDG_DATA_HOME ein eigenes Datenverzeichnis geben",
    "a backup replaces a file: name it with --db, while no server is running": "eine Sicherung "
    "ersetzt eine Datei: diese mit --db nennen, während kein Server läuft",
    "--local-writing is only for this machine, not for {host}": "--local-writing gilt nur für "
    "diesen Rechner, nicht für {host}",
    "--local-writing and --proxies cannot be combined: a proxy passes on the requests of others": ""
    "--local-writing und --proxies schließen sich aus: Ein Proxy reicht weiter, was andere senden",
    "--cors: {value} is not an origin; it is written https://club.example, without a path": ""
    "--cors: {value} ist kein Ursprung; man schreibt ihn https://verein.example, ohne Pfad",
    "--name: {value} is not the name of a host, such as club.example": "--name: {value} ist kein "
    "Name eines Rechners wie verein.example",
    "--proxies are addresses or networks: {why}": "--proxies sind Adressen oder Netze: {why}",
    "--closed needs a token to read with: claimlog token create NAME --scope read": "--closed "
    "braucht ein Token zum Lesen: claimlog token create NAME --scope read",
    "nobody could write: create a token (claimlog token create NAME --scope record), or serve "
    "with --read-only": "niemand könnte schreiben: entweder ein Token erstellen (claimlog token "
    "create NAME --scope record) oder mit --read-only starten",
    "The address to listen on; by default 127.0.0.1, with --lan all addresses of this machine.": ""
    "Die Adresse, auf der der Server hört; sonst 127.0.0.1, mit --lan alle Adressen dieses "
    "Rechners.",
    "For phones on a network without internet: show the address they can reach, also as a QR "
    "code, and use HTTPS with a certificate of its own unless --certificate is given.": "Für "
    "Handys in einem Netz ohne Internet: die Adresse für sie zeigen, auch als QR-Code, und HTTPS "
    "mit einem eigenen Zertifikat verwenden, wenn --certificate keines angibt.",
    "With --lan: HTTP, without a certificate.": "Mit --lan: HTTP, ohne Zertifikat.",
    "--plain needs --lan and cannot be combined with --certificate": "--plain braucht --lan und "
    "lässt sich nicht mit --certificate kombinieren",
    "--lan needs more packages: pip install 'claimlog[lan]'": "--lan braucht weitere Pakete: "
    "pip install 'claimlog[lan]'",
    "--lan needs an address that others can reach, not {host}": "--lan braucht eine Adresse, die "
    "andere erreichen, nicht {host}",
    "this machine is not on a network: connect it to the router first": "dieser Rechner ist in "
    "keinem Netz: erst mit dem Router verbinden",
    "--lan is for the addresses of private networks and of this machine, not for {address}: give "
    "--certificate, or --plain": "--lan ist für Adressen privater Netze und dieses Rechners, nicht "
    "für {address}: --certificate angeben oder --plain",
    "the authority in {folder} cannot vouch for {address}: move the folder away to get a new "
    "one, or give --certificate": "die Zertifizierungsstelle in {folder} kann nicht für {address} "
    "bürgen: den Ordner verschieben, dann entsteht eine neue, oder --certificate angeben",
    "the certificate that --lan makes is for addresses, not for names such as {name}: give an "
    "address, a certificate with --certificate, or --plain": "das Zertifikat, das --lan anlegt, "
    "gilt für Adressen, nicht für Namen wie {name}: eine Adresse angeben, mit --certificate ein "
    "Zertifikat, oder --plain",
    "HTTPS is not possible: {why}": "HTTPS geht nicht: {why}",
    "phones open {place}": "Handys öffnen {place}",
    "without HTTPS a phone can neither keep the page at the table offline nor its screen on": ""
    "ohne HTTPS kann ein Handy die Seite am Tisch nicht ohne Netz behalten und den Bildschirm "
    "nicht anlassen",
    "phones open {place} first, which says how to trust this server": "Handys öffnen zuerst "
    "{place}; dort steht, wie sie diesem Server vertrauen",
    "SHA-256 fingerprint of its certificate: {fingerprint}": "SHA-256-Fingerabdruck des "
    "Zertifikats: {fingerprint}",
    "--key needs --certificate": "--key braucht --certificate",
    "HTTPS is not possible with {file}: {why}; it must hold a certificate in PEM, and --key its "
    "key, without a password": "HTTPS geht nicht mit {file}: {why}; darin muss ein Zertifikat in "
    "PEM stehen und in --key sein Schlüssel, ohne Passwort",
    "A certificate (PEM) for HTTPS, which phones need to keep the page at the table.": "Ein "
    "Zertifikat (PEM) für HTTPS, das Handys brauchen, um die Seite am Tisch zu behalten.",
    "The certificate's key (PEM), if it is not in the same file.": "Der Schlüssel des "
    "Zertifikats (PEM), wenn er nicht in derselben Datei steht.",
    "{file} cannot be read: {why}": "{file} kann nicht gelesen werden: {why}",
    "the screen closed because of an error in claimlog: {why}": "der Bildschirm wurde wegen eines "
    "Fehlers in claimlog geschlossen: {why}",
    "The games are as they were last saved.": "Die Partien sind so, wie sie zuletzt gespeichert "
    "wurden.",
    "All that was entered is kept in the archive.": "Alles Eingegebene steht im Archiv.",
    "{file} cannot be written: {why}": "{file} kann nicht geschrieben werden: {why}",
    "standard output cannot be written: {why}": "auf die Standardausgabe kann nicht geschrieben "
    "werden: {why}",
    "{file} is a folder: give the name of the file to write": "{file} ist ein Ordner: Gebraucht "
    "wird der Name der neuen Datei",
    # Which games
    "Which games": "Welche Partien",
    "A player, by name or id; repeatable, any may match.": "Wer gespielt hat: Name oder Kennung; "
    "mehrere: es genügt einer.",
    "The seat of player.": "Der Sitz des Spielers.",
    "The partner of player; repeatable, any may match.": "Partner des Spielers; mehrere: es "
    "genügt einer.",
    "An opponent of player; repeatable, any may match.": "Gegner des Spielers; mehrere: es "
    "genügt einer.",
    "The outcome for player.": "Wie es für den Spieler ausging.",
    "A player who did not play; repeatable, none may match.": "Wer nicht gespielt hat; mehrere: "
    "keiner davon.",
    "The event, by name or id; repeatable, any may match.": "Das Turnier: Name oder Kennung; "
    "mehrere: eines davon.",
    "An event to exclude, by name or id; repeatable, none may match.": "Ein Turnier, zu dem sie "
    "nicht gehört; mehrere: keines davon.",
    "The place where the game was played; repeatable, any may match.": "Wo gespielt wurde; "
    "mehrere: an einem davon.",
    "The round; repeatable, any may match.": "Die Runde; mehrere: eine davon.",
    "The table; repeatable, any may match.": "Der Tisch; mehrere: einer davon.",
    "The earliest date: 2026, 2026-11 or 2026-11-14.": "Ab diesem Datum: 2026, 2026-11 oder "
    "2026-11-14.",
    "The latest date, inclusive.": "Bis zu diesem Datum, der Tag eingeschlossen.",
    "Letters of factions that must all be in the deck.": "Buchstaben von Fraktionen, die alle im "
    "Deck sind.",
    "Letters of factions that must not be in the deck.": "Buchstaben von Fraktionen, die nicht im "
    "Deck sind.",
    "The whole deck, in any order, such as GKUWX; repeatable, any may match.": "Das ganze Deck, in "
    "beliebiger Reihenfolge: GKUWX; mehrere: eines davon.",
    "The rule set: LE2023 or Classic; repeatable, any may match.": "Das Regelwerk: LE2023 oder "
    "Classic; mehrere: eines davon.",
    "The rulings in force, such as trolls=line.": "Geltende Auslegungen, etwa trolls=line.",
    "The number of seats; a bye has 1; repeatable, any may match.": ""
    "Die Zahl der Sitze, bei einem Freilos 1; mehrere: eine davon.",
    "The seat that led trick 1; repeatable, any may match.": "Der Sitz, der zu Stich 1 ausgespielt "
    "hat; mehrere: einer davon.",
    "The result, such as 1-0 or *; repeatable, any may match.": "Das Ergebnis, etwa 1-0 oder *; "
    "mehrere: eines davon.",
    "Factions won: 3-2 in the order of sides, 3:2 in any order; repeatable, any may match.": ""
    "Gewonnene Fraktionen: 3-2 in der Reihenfolge der Seiten, 3:2 in beliebiger; mehrere: eines "
    "davon.",
    "How the game ended: normal, resignation, time …; repeatable, any may match.": "Wie sie "
    "endete: normal, resignation, time …; mehrere: eines davon.",
    "Whether all tricks are in the record.": "Ob alle Stiche aufgezeichnet sind.",
    "The minimum number of tricks.": "Mindestens so viele Stiche.",
    "The maximum number of tricks.": "Höchstens so viele Stiche.",
    "The minimum rating of every player.": "Die Mindestwertung aller Spieler.",
    "Whether the record is free of warnings.": "Ob die Aufzeichnung ohne Warnung ist.",
    "A warning in the record; irregular is a revoke allowed to stand; repeatable, any may "
    "match.": "Eine Warnung der Aufzeichnung; irregular: ein Bedienfehler, der stehen blieb; "
    "mehrere: eine davon.",
    "Played: a card K5 or a faction K; K5@3 in trick 3, K5@1-13 in tricks 1 to 13; repeatable, all "
    "must match.": "Gespielt: eine Karte K5 oder eine Fraktion K; K5@3 in Stich 3, K5@1-13 in den "
    "Stichen 1 bis 13; mehrere: alle zugleich.",
    "Led: a card K5 or a faction K; K5@3 in trick 3, K5@1-13 in tricks 1 to 13; repeatable, all "
    "must match.": "Ausgespielt: ebenso; mehrere: alle zugleich.",
    "Won its trick: a card K5 or a faction K; K5@3 in trick 3, K5@1-13 in tricks 1 to 13; "
    "repeatable, all must match.": "Hat den Stich gewonnen: ebenso; mehrere: alle zugleich.",
    "Turned up: a card K5 or a faction K; K5@3 in trick 3, K5@1-13 in tricks 1 to 13; repeatable, "
    "all must match.": "Aufgedeckt: ebenso; mehrere: alle zugleich.",
    "Words that must all occur, whatever their case or accents, in names, event, site, round, "
    "annotator, scenario or comments.": "Wörter, die alle in Namen, Turnier, Ort, Runde, "
    "Kommentator, Szenario oder Kommentaren vorkommen, mit oder ohne Akzente.",
    "The rule set: LE2023 or Classic.": "Das Regelwerk: LE2023 oder Classic.",
    # Tables
    "The order.": "Die Reihenfolge.",
    "The output format.": "Das Ausgabeformat.",
    "All columns, even if the terminal is too narrow.": "Alle Spalten, auch wenn das Terminal "
    "zu schmal ist.",
    "95 % intervals instead of ± and bar.": "95-%-Intervalle statt ± und Balken.",
    "Only rates with a count of at least this.": "Nur Quoten aus mindestens so vielen Fällen.",
    "The round.": "Die Runde.",
    "The column to sort by; a - before it reverses the order.": "Die Spalte, nach der sortiert "
    "wird; ein - davor kehrt um.",
    "At most this many rows.": "Höchstens so viele Zeilen.",
    "At most this many.": "Höchstens so viele.",
    "At most this many games.": "Höchstens so viele Partien.",
    "Only rows with at least this many results.": "Nur Zeilen mit mindestens so vielen "
    "Ergebnissen.",
    "nothing found": "nichts gefunden",
    "no such game has been analysed completely yet: claimlog analyse --all does that, --all "
    "--inexact again with a larger --effort": "keine dieser Partien ist bisher vollständig "
    "ausgewertet: Das tut claimlog analyse --all, noch einmal mit --inexact und größerem --effort",
    "no such game has been analysed yet: claimlog analyse --all does that": "keine dieser Partien "
    "ist bisher ausgewertet: Das tut claimlog analyse --all",
    "no such game has the tags Start and End": "keine dieser Partien hat die Tags Start und End",
    "{option} is for the rows of a table; as JSON this is one answer": "{option} gilt den Zeilen "
    "einer Tabelle; als JSON ist dies eine einzige Antwort",
    "and {number} more (--limit)": "und {number} weitere (--limit)",
    "{number} with fewer than {least} left out (--min-games)": "{number} mit weniger als {least} "
    "ausgelassen (--min-games)",
    "columns left out: {names} (--wide, or a wider terminal)": "ausgelassene Spalten: {names} "
    "(--wide oder ein breiteres Terminal)",
    "there is no column {name} to sort by; there are: {names}": "eine Spalte {name} zum Sortieren "
    "gibt es nicht; es gibt: {names}",
    "id": "Kennung",
    "date": "Datum",
    "event": "Turnier",
    "round": "Runde",
    "table": "Tisch",
    "players": "Spieler",
    "player": "Spieler",
    "deck": "Deck",
    "result": "Ergebnis",
    "votes": "Stimmen",
    "revision": "Fassung",
    "at (UTC)": "am (UTC)",
    "by": "durch",
    "why": "warum",
    "what": "was",
    "value": "Wert",
    "from": "von",
    "to": "bis",
    "games": "Partien",
    "points": "Punkte",
    "last played": "zuletzt",
    "rating": "Wertung",
    "group": "Gruppe",
    "rounds": "Runden",
    "won": "gewonnen",
    "lost": "verloren",
    "shared": "geteilt",
    "factions": "Fraktionen",
    "share": "Anteil",
    "shared wins": "geteilte Siege",
    "faction": "Fraktion",
    "in the deck": "im Deck",
    "decided": "entschieden",
    "lead in cards": "Vorsprung in Karten",
    "points of its winner": "Punkte dessen, der sie gewann",
    "card": "Karte",
    "plays": "gespielt",
    "led": "ausgespielt",
    "won when led": "gewonnen beim Ausspielen",
    "followed": "zugegeben",
    "won when followed": "gewonnen beim Zugeben",
    "discarded": "abgelegt",
    "upcard": "aufgedeckt",
    "shown": "wie oft",
    "points of its taker": "Punkte dessen, der sie nahm",
    "worth": "Wert",
    "who": "wer",
    "tricks in a row": "Stiche in Folge",
    "leads": "Ausspiele",
    "play": "Karte",
    "times": "wie oft",
    "won the trick": "Stich gewonnen",
    "for example": "zum Beispiel",
    "seat": "Sitz",
    "side": "Seite",
    "leader": "Ausspiel",
    "rules": "Regeln",
    "rulings": "Auslegung",
    "seats": "Sitze",
    "termination": "Ende",
    "year": "Jahr",
    "tiebreak": "Stichentscheid",
    "stage": "Stufe",
    "vote-difference": "Stimmendifferenz",
    "head-to-head": "direkter Vergleich",
    "buchholz": "Buchholz",
    "sonneborn-berger": "Sonneborn-Berger",
    "wins": "Siege",
    "The column to sort by; a - before it reverses the order, .low after a rate takes the lower "
    "end of its interval": "Die Spalte, nach der sortiert wird; ein - davor kehrt um, .low hinter "
    "einer Quote nimmt das untere Ende ihres Intervalls",
    # Games
    "List games.": "Partien auflisten.",
    "Only print how many there are.": "Nur ausgeben, wie viele es sind.",
    "Look at one game, or correct it.": "Eine Partie ansehen oder berichtigen.",
    "Print a game's record; pipe it into claimlog replay - to step through it.": "Die Aufzeichnung "
    "einer Partie ausgeben; claimlog replay - spielt sie aus einer Pipe nach.",
    "The game's id, or its beginning.": "Die Kennung der Partie oder ihr Anfang.",
    "An earlier revision.": "Eine frühere Fassung.",
    "List a game's revisions: when, who, why.": "Die Fassungen einer Partie: wann, wer, warum.",
    "Replace a game's record; the old one is kept. Standings change at once.": "Die Aufzeichnung "
    "einer Partie ersetzen; die alte bleibt erhalten. Ranglisten ändern sich sofort.",
    "Exit codes: 0 corrected or unchanged, 1 the record has errors, 2 anything else.": ""
    "Rückgabewerte: 0 berichtigt oder unverändert, 1 die Aufzeichnung hat Fehler, 2 alles andere.",
    "The corrected record; - for standard input.": "Die berichtigte Aufzeichnung; - für die "
    "Standardeingabe.",
    "Why; recorded with the change.": "Warum; wird mit der Änderung festgehalten.",
    "Delete a game; a trace of it and its revisions are kept.": "Eine Partie löschen; eine Spur "
    "und alle Fassungen bleiben erhalten.",
    "Restore a deleted game.": "Eine gelöschte Partie zurückholen.",
    "not corrected": "nicht berichtigt",
    "this would undo revision {number}, by {who}: make the change in what "
    "claimlog game show prints now, or give --revision {number}": "das nähme Fassung {number} "
    "zurück, von {who}: die Änderung in dem machen, was claimlog game show jetzt ausgibt, oder "
    "--revision {number} angeben",
    "The revision to replace; without it, a record that undoes the last correction is refused.": ""
    "Die Fassung, die ersetzt wird; ohne sie wird eine Aufzeichnung abgewiesen, die die letzte "
    "Berichtigung zurücknimmt.",
    "this seems to be game {id}: not corrected": "das scheint Partie {id} zu sein: nicht "
    "berichtigt",
    "corrected": "berichtigt",
    "unchanged": "unverändert",
    "deleted": "gelöscht",
    "{id} {status}, revision {number}": "{id} {status}, Fassung {number}",
    "{id} is back, revision {number}": "{id} ist wieder da, Fassung {number}",
    "{id} was deleted by {who}": "{id} wurde von {who} gelöscht",
    "--revision {number} shows what it was": "--revision {number} zeigt sie, wie sie war",
    # Players
    "Players and their results.": "Spieler und ihre Ergebnisse.",
    "List players.": "Spieler auflisten.",
    "A part of the name.": "Ein Teil des Namens.",
    "Show a player's results: by seat, with factions, against others.": "Die Ergebnisse eines "
    "Spielers: nach Sitz, mit Fraktionen, gegen andere.",
    "A player's name or id.": "Name oder Kennung.",
    "Show two players against each other, with their newest games.": "Zwei Spieler gegeneinander, "
    "mit ihren neuesten Partien.",
    "The other player's name or id.": "Name oder Kennung des anderen.",
    "Count the games of one id for another from now on.": "Die Partien einer Kennung von jetzt an "
    "für eine andere zählen.",
    "The id that is the same person as the other.": "Die Kennung, hinter der dieselbe Person "
    "steht.",
    "The player's id.": "Die Kennung, für die gezählt wird.",
    "Undo a merge.": "Ein Zusammenlegen rückgängig machen.",
    "The id that was merged.": "Die Kennung, die zusammengelegt wurde.",
    "{player} - {opponent}: {counts}; factions {mine}:{theirs}": ""
    "{player} - {opponent}: {counts}; Fraktionen {mine}:{theirs}",
    "won {won}, lost {lost}, shared {shared}": "gewonnen {won}, verloren {lost}, geteilt {shared}",
    "won by neither {neither}": "von keinem gewonnen {neither}",
    "{name} ({alias}) now counts for {player}": "{name} ({alias}) zählt jetzt für {player}",
    "{alias} is a separate player again": "{alias} ist wieder ein eigener Spieler",
    "{alias} is a separate event again": "{alias} ist wieder ein eigenes Turnier",
    "all games": "alle Partien",
    "trick 1": "Stich 1",
    "not led": "nicht ausgespielt",
    "Phase 1's last trick": "letzter Stich der Phase 1",
    "by seat": "nach Sitz",
    "factions won": "gewonnene Fraktionen",
    "against": "gegen",
    "with partner": "mit Partner",
    "at": "bei",
    "Show a player's longest streaks, and the current one.": "Die längsten Serien eines "
    "Spielers zeigen, und die, die noch läuft.",
    "Show a player's performance: the rating that would be expected to score as much.": ""
    "Die Leistung eines Spielers zeigen: die Wertung, die dasselbe erwarten ließe.",
    "won or shared": "gewonnen oder geteilt",
    "lost or shared": "verloren oder geteilt",
    "now: won": "jetzt: gewonnen",
    "now: lost": "jetzt: verloren",
    "now: shared": "jetzt: geteilt",
    "first game": "erste Partie",
    "last game": "letzte Partie",
    "opponents": "Gegner",
    "performance": "Leistung",
    "at least": "mindestens",
    "at most": "höchstens",
    # Events
    "List events, the one played last first.": "Turniere auflisten, das zuletzt gespielte zuerst.",
    "Show the standings of an event, its crosstable or its rounds.": "Die Rangliste eines "
    "Turniers zeigen, seine Kreuztabelle oder seine Runden.",
    "A tag and its new value, Site=Bern; repeatable. Site= removes it.": "Ein Tag und sein neuer "
    "Wert, Site=Bern; mehrfach möglich. Site= nimmt ihn heraus.",
    "A wrong name of a player and the right one, Ana=Anna; repeatable.": "Ein falscher Name und "
    "der richtige, Ana=Anna; mehrfach möglich.",
    "Even if another stored game seems to be the same.": "Auch wenn eine andere gespeicherte "
    "Partie dieselbe zu sein scheint.",
    "Make the changes; otherwise they are only shown.": "Die Änderungen ausführen; sonst werden "
    "sie nur gezeigt.",
    "Correct who played, when and where in many records at once: in all of them or in none.": "In "
    "vielen Aufzeichnungen auf einmal berichtigen, wer wann wo spielte: in allen oder in keiner.",
    "Exit codes: 0 shown or corrected, 1 something was refused and nothing changed, 2 anything "
    "else.": "Rückgabewerte: 0 gezeigt oder berichtigt, 1 etwas ist abgelehnt und nichts "
    "geändert, 2 alles andere.",
    "doubtful": "anscheinend dieselbe wie",
    "changes": "Änderungen",
    "conflict": "schon gespeichert:",
    "{option} is written NAME=VALUE, not {text}": "{option} schreibt man NAME=WERT, nicht {text}",
    "nothing was corrected: {number} refused": "nichts wurde berichtigt: {number} abgewiesen",
    "nothing was corrected yet; --yes makes the changes": "noch wurde nichts berichtigt; --yes "
    "führt die Änderungen aus",
    "{number} game corrected": "{number} Partie berichtigt",
    "{number} games corrected": "{number} Partien berichtigt",
    # Names of events
    "Direct an event from the entry list to the end; rename and merge events.": "Ein Turnier von "
    "der Meldeliste bis zum Ende leiten; Turniere umbenennen und vereinigen.",
    "before": "vorher",
    "name": "Name",
    "The new name.": "Der neue Name.",
    "Give an event another name; the records stay as they are.": "Einem Turnier einen anderen "
    "Namen geben; die Aufzeichnungen bleiben, wie sie sind.",
    "{event} is now called {name}": "{event} heißt jetzt {name}",
    "Show the names that an event was given, by whom, when and why.": "Zeigen, welche Namen ein "
    "Turnier bekam, von wem, wann und warum.",
    "The event that is the same as the other.": "Das Turnier, das dasselbe ist wie das andere.",
    "Count the games of one event for another from now on.": "Die Partien eines Turniers von jetzt "
    "an für ein anderes zählen.",
    "The event that was merged.": "Das Turnier, das zusammengelegt wurde.",
    "Undo a merge of events.": "Ein Zusammenlegen von Turnieren rückgängig machen.",
    "The event's name or id.": "Name oder Kennung des Turniers.",
    "As they stood after this round.": "Der Stand nach dieser Runde.",
    "Only games played up to this date, YYYY-MM-DD.": "Nur Partien bis zu diesem Datum, "
    "JJJJ-MM-TT.",
    "As the archive knew them then, before later corrections: ISO 8601, in UTC if there is no "
    "offset.": "Wie das Archiv sie damals kannte, vor späteren Berichtigungen: ISO 8601, ohne "
    "Abstand in UTC.",
    "The tie-breaks in order, separated by commas": "Die Feinwertungen der Reihe nach, durch "
    "Kommas getrennt",
    "Save --tiebreaks for the event.": "--tiebreaks für das Turnier speichern.",
    "The crosstable.": "Die Kreuztabelle.",
    "The rounds, table by table.": "Die Runden, Tisch für Tisch.",
    "{number} unfinished game does not count": "{number} nicht beendete Partie zählt nicht",
    "{number} unfinished games do not count": "{number} nicht beendete Partien zählen nicht",
    "after round {round}": "nach Runde {round}",
    "{text} is not a time; write it as 2026-11-14T19:30:00+01:00": "{text} ist kein "
    "Zeitpunkt; man schreibt 2026-11-14T19:30:00+01:00",
    "--keep needs --tiebreaks": "--keep braucht --tiebreaks",
    "A file for the links, which event print cards turns into QR codes.": "Eine Datei für die "
    "Links, aus denen event print cards QR-Codes macht.",
    "With cards: the file that event start --links wrote; each card then has its scorer's link as "
    "a QR code.": "Mit cards: die Datei, die event start --links schrieb; jede Karte hat dann den "
    "Link ihres Schreibers als QR-Code.",
    "The file to write; -: standard output.": "Die Datei; -: Standardausgabe.",
    "Write a page to print: A4, black on white. Any browser prints it.": "Eine Seite zum Drucken "
    "schreiben: A4, schwarz auf weiß. Jeder Browser druckt sie.",
    "{file} has no links: {why}": "{file} enthält keine Links: {why}",
    "left out links of another game at table {tables}: claimlog event links writes new ones": ""
    "Links einer anderen Partie weggelassen an Tisch {tables}: claimlog event links schreibt neue",
    "The folder to write to; files of an earlier run are replaced.": "Der Ordner dafür; Dateien "
    "eines früheren Laufs werden ersetzt.",
    "Write a website about an event: standings, crosstable, rounds, players, games to replay.": ""
    "Eine Website über ein Turnier schreiben: Rangliste, Kreuztabelle, Runden, Spieler, Partien "
    "zum Nachspielen.",
    "It consists only of static files, for any web host; the same games give the same bytes.": ""
    "Sie besteht nur aus statischen Dateien, für jeden Webspace; dieselben Partien ergeben "
    "dieselben Bytes.",
    "{files} files written to {folder}: open {index}": "{files} Dateien in {folder} geschrieben: "
    "{index} öffnen",
    "The standings or crosstable of partners in games of four, or of players; by default of "
    "partners if they stay together in the event.": "Die Tabelle oder Kreuztabelle der Partner in "
    "Partien zu viert, oder der Spieler; ohne Angabe die der Partner, wenn sie im Turnier "
    "zusammenbleiben.",
    "The ranks after each round.": "Die Plätze nach jeder Runde.",
    "team": "Team",
    # Statistics
    "Statistics on the games of the archive; rates are shown with their 95 % intervals.": ""
    "Statistik über die Partien des Archivs; Quoten werden mit ihrem 95-%-Intervall gezeigt.",
    "Results by seat, leader, deck and so on, with 95 % confidence intervals.": "Ergebnisse nach "
    "Sitz, Ausspiel, Deck und so weiter, mit 95-%-Konfidenzintervallen.",
    "What to group by.": "Wonach die Partien eingeteilt werden.",
    "Factions: how often in the deck, won, by how much, and what winning one is worth.": ""
    "Fraktionen: wie oft im Deck, wie oft gewonnen, wie deutlich, was ein Gewinn wert ist.",
    "Cards: led, followed, won and discarded, and how the game went.": "Karten: ausgespielt, "
    "zugegeben, gewonnen und abgelegt, und wie die Partie ausging.",
    "Only this phase.": "Nur in dieser Phase.",
    "Upcards and what they are worth.": "Aufgedeckte Karten, und was sie wert sind.",
    "How many tricks in a row the same seat leads.": "Wie viele Stiche in Folge derselbe Sitz "
    "ausspielt.",
    "What was played at a point in a trick: how often, how it went, example games.": "Was an einer "
    "Stelle eines Stichs gespielt wurde: wie oft, wie es ausging, Beispiele.",
    "The trick's number.": "Die Nummer des Stichs.",
    "The upcard, or a faction's letter.": "Die aufgedeckte Karte, oder eine Fraktion mit ihrem "
    "Buchstaben.",
    "The cards, or faction letters, played in the trick so far, in order; empty for leads.": "Die "
    "Karten oder Buchstaben der Fraktionen, die im Stich schon liegen, der Reihe nach; keine: "
    "Ausspiele.",
    "The number of example games for each move.": "Wie viele Beispielpartien für jede Karte.",
    "led trick 1": "spielte zu Stich 1 aus",
    "won Phase 1's last trick": "gewann den letzten Stich der Phase 1",
    "won most tricks of Phase 1": "gewann die meisten Stiche der Phase 1",
    "led Phase 2": "spielte in Phase 2 zuerst aus",
    "Whose plays count: everybody's, or only those of player.": "Wessen Karten zählen: alle, oder "
    "nur die von player.",
    "Whose points count: the leader's, or those of player.": "Wessen Punkte zählen: die des "
    "Ausspielers, oder die von player.",
    "What leading trick 1 and winning Phase 1 are worth; how often a lead wins its trick.": ""
    "Was das Ausspiel zu Stich 1 und der Gewinn von Phase 1 wert sind; wie oft ein Ausspiel "
    "seinen Stich gewinnt.",
    "How long games took, from the tags Start and End.": "Wie lange Partien dauerten, aus den "
    "Tags Start und End.",
    "won the trick led": "gewann den ausgespielten Stich",
    "won the trick led in Phase 1": "gewann den ausgespielten Stich in Phase 1",
    "won the trick led in Phase 2": "gewann den ausgespielten Stich in Phase 2",
    "month": "Monat",
    "site": "Ort",
    "opponent": "Gegner",
    "partner": "Partner",
    "Factions": "Fraktionen",
    "Upcards": "Aufgedeckte Karten",
    "Cards": "Karten",
    "Results": "Ergebnisse",
    "Leads": "Ausspiel",
    "Lead lengths": "Länge des Ausspiels",
    "Puzzles from a file of games, a stored game's id, a game's code or link, or - for standard "
    "input; by default from the archive.": "Aufgaben aus einer Datei mit Partien, der Kennung "
    "einer gespeicherten Partie, dem Code oder Link einer Partie, oder - für die Standardeingabe; "
    "sonst aus dem Archiv.",
    "The puzzles of this day, not today's.": "Die Aufgaben dieses Tages statt der heutigen.",
    "How many puzzles.": "Wie viele Aufgaben.",
    "Only of this level, from 1 (a few lines to calculate) to 4.": "Nur von dieser Stufe, von 1 "
    "(wenige Varianten) bis 4.",
    "From simulated games, not from the archive.": "Aus simulierten Partien statt aus dem Archiv.",
    "json: one line per puzzle, with the solution.": "json: eine Zeile je Aufgabe, mit der Lösung.",
    "Write a page for any browser that needs no server; - prints it.": "Eine Seite für jeden "
    "Browser schreiben, die keinen Server braucht; - gibt sie aus.",
    "Find the only card that keeps the win, three to eight tricks before the end.": "Die einzige "
    "Karte finden, die den Sieg hält, drei bis acht Stiche vor dem Ende.",
    "Whoever is to play knows all cards of both hands. Answer with a card; ? gives a hint, = the "
    "solution. The puzzles of a day are the same whenever you ask for them.": "Wer am Zug ist, "
    "kennt alle Karten beider Hände. Mit einer Karte antworten; ? gibt eine Hilfe, = die Lösung. "
    "Die Aufgaben eines Tages sind immer dieselben.",
    "Exit codes: 0 done, 1 there is no such puzzle, 2 a file could not be read or the call was "
    "wrong.": "Rückgabewerte: 0 fertig, 1 es gibt keine solche Aufgabe, 2 eine Datei war nicht "
    "lesbar oder der Aufruf falsch.",
    "a file cannot be combined with --simulate": "eine Datei lässt sich nicht mit --simulate "
    "kombinieren",
    "--html cannot be combined with --format": "--html lässt sich nicht mit --format kombinieren",
    "--player is missing: name the player, as in --player 'Anna Keller'": (
        "--player fehlt: den Spieler nennen, etwa --player 'Anna Keller'"
    ),
    "there is no such puzzle": "eine solche Aufgabe gibt es nicht",
    "the name of the file to write is missing before {option}": "vor {option} fehlt der Name der "
    "Datei, in die geschrieben wird",
    "{text} is not a date: write YYYY-MM-DD": "{text} ist kein Datum: JJJJ-MM-TT schreiben",
    "Puzzle {number}": "Aufgabe {number}",
    "{name} is to play. Which card wins? (level {level}; ? for a hint, = for the solution)": ""
    "{name} ist am Zug. Welche Karte gewinnt? (Stufe {level}; ? für eine Hilfe, = für die Lösung)",
    "It is one of the {faction}.": "Sie gehört zur Fraktion {faction}.",
    "These do not win: {cards}.": "Diese gewinnen nicht: {cards}.",
    "That card may not be played; possible are {cards}.": "Diese Karte darf nicht gespielt "
    "werden; möglich sind {cards}.",
    "{number} solved at once": "{number} auf Anhieb gelöst",
    "Luck and skill": "Glück und Können",
    "by cards": "durch Karten",
    "by play": "durch Spiel",
    "left open": "offen geblieben",
    "How many points per game came from the followers of Phase 2, and from the play.": ""
    "Wie viele Punkte je Partie von den Anhängern der Phase 2 kamen und wie viele vom Spiel.",
    "Given away": "Verschenkt",
    "given away": "verschenkt",
    "per game": "je Partie",
    "How many points the decisions of Phase 2 gave away, by exact analysis.": "Wie viele Punkte "
    "die Entscheidungen der Phase 2 verschenkten, genau ausgewertet.",
    "What to group by: who decided, the card's faction, the trick, or the card that led Phase "
    "2.": "Wonach gruppieren: wer entschied, die Fraktion der Karte, der Stich oder die Karte, mit "
    "der Phase 2 begann.",
    "Whose decisions count: everybody's, or only those of player.": "Wessen Entscheidungen zählen: "
    "die aller oder nur die von player.",
    "Best play": "Bestes Spiel",
    "with best play": "bei bestem Spiel",
    "as played": "wie gespielt",
    "changed": "geändert",
    "How often the leader of Phase 2 wins with best play, and how often the winner changed.": "Wie "
    "oft bei bestem Spiel gewinnt, wer Phase 2 beginnt, und wie oft der Sieger wechselte.",
    "What to group by; the games of a faction are those with it in the deck.": "Wonach gruppieren; "
    "zu einer Fraktion zählen die Partien mit ihr.",
    "Followers": "Anhänger",
    "What each follower is worth in Phase 2: the points of whoever has it, with best play.": ""
    "Was jeder Anhänger in Phase 2 wert ist: die Punkte dessen, der ihn hat, bei bestem Spiel.",
    "Times": "Zeiten",
    "mean": "Mittel",
    "median": "Median",
    "shortest": "kürzeste",
    "longest": "längste",
    # The archive's file
    "Maintain the archive's file.": "Die Datei des Archivs pflegen.",
    "Show where the archive is, how big it is, and how many games it has.": "Zeigen, wo das "
    "Archiv liegt, wie groß es ist und wie viele Partien es hat.",
    "Prove that the derived tables agree with the records, and the records with their chain.": ""
    "Beweisen, dass die abgeleiteten Tabellen zu den Aufzeichnungen passen und diese zu ihrer "
    "Kette.",
    "A head printed by an earlier check: prove that nothing before it was changed.": "Ein Ende "
    "der Kette aus einer früheren Prüfung: beweisen, dass davor nichts geändert wurde.",
    "--head compares everything and cannot be combined with --quick": "--head vergleicht alles "
    "und lässt sich nicht mit --quick kombinieren",
    "head of the chain: {head}": "Ende der Kette: {head}",
    "restore the changed records from a backup": "die geänderten "
    "Aufzeichnungen aus einer Sicherung zurückholen",
    "{number} faults in the chain, as before: claimlog db check lists them": "{number} Fehler der "
    "Kette, wie zuvor: claimlog db check nennt sie",
    "Exit codes: 0 all agrees, 1 something does not, 2 the archive cannot be used.": ""
    "Rückgabewerte: 0 alles stimmt, 1 etwas stimmt nicht, 2 das Archiv ist nicht benutzbar.",
    "Compare counts only.": "Nur Anzahlen vergleichen.",
    "Start over, even if an interrupted check could go on.": "Von vorn beginnen, auch wenn eine "
    "abgebrochene Prüfung weitergehen könnte.",
    "A check that was interrupted goes on where it stopped, within a week, if the file was not "
    "written to or the lake not rebuilt; it says so.": "Eine abgebrochene Prüfung geht innerhalb "
    "einer Woche dort weiter, wo sie aufgehört hat, wenn inzwischen nicht in die Datei geschrieben "
    "oder der Lake nicht neu aufgebaut wurde; sie sagt das.",
    "Start over, even if an interrupted rebuild could go on.": "Von vorn beginnen, auch wenn ein "
    "abgebrochener Aufbau weitergehen könnte.",
    "A rebuild that was interrupted goes on where it stopped, and says so; the old tables stay "
    "until the new ones are complete.": "Ein abgebrochener Aufbau geht dort weiter, wo er "
    "aufgehört hat, und sagt das; die alten Tabellen bleiben, bis die neuen vollständig sind.",
    "this continued a rebuild begun on {when} (UTC); --afresh starts over": "das war die "
    "Fortsetzung eines am {when} (UTC) begonnenen Aufbaus; --afresh beginnt von vorn",
    "Rebuild the derived tables from the records.": "Die abgeleiteten Tabellen aus den "
    "Aufzeichnungen neu aufbauen.",
    "Write a consistent copy of the archive.": "Eine konsistente Kopie des Archivs schreiben.",
    "The file to write; it must not exist.": "Die neue Datei; es darf sie noch nicht geben.",
    "Return unused space to the disk.": "Unbenutzten Speicherplatz freigeben.",
    "Put a backup in place of the archive.": "Eine Sicherung an die Stelle des Archivs setzen.",
    "The backup.": "Die Sicherung.",
    "Even if there is an archive; it is kept under another name.": "Auch wenn es ein Archiv gibt; "
    "es bleibt unter anderem Namen erhalten.",
    "Move the archive from a file into PostgreSQL with a lake, or back.": "Das Archiv aus einer "
    "Datei nach PostgreSQL mit einem Lake umziehen, oder zurück.",
    "Games keep their ids, revisions and times; merges, names, settings and tokens come along. "
    "The source stays as it is.": "Partien behalten Kennungen, Fassungen und Zeiten; "
    "Zusammenlegungen, Namen, Einstellungen und Tokens kommen mit. Das alte Archiv bleibt, wie es "
    "ist.",
    "A move that was interrupted goes on where it stopped, if the source is still the same file or "
    "the same lake, and says so; the target is no archive until everything is there.": "Ein "
    "abgebrochener Umzug geht dort weiter, wo er aufgehört hat, falls die Quelle noch dieselbe "
    "Datei oder derselbe Lake ist, und sagt das; das Ziel ist erst ein Archiv, wenn alles da ist.",
    "Start over, even if an interrupted move could go on.": "Von vorn beginnen, auch wenn ein "
    "abgebrochener Umzug weitergehen könnte.",
    "this continued a move begun on {when} (UTC); --afresh starts over": "das war die Fortsetzung "
    "eines am {when} (UTC) begonnenen Umzugs; --afresh beginnt von vorn",
    "the source has changed since {when} (UTC), when a move began that was interrupted: this one "
    "started over": "die Quelle hat sich seit {when} (UTC) geändert, als ein dann abgebrochener "
    "Umzug begann: dieser begann von vorn",
    "The archive, a file or postgresql://…; it is kept.": "Das Archiv, eine Datei oder "
    "postgresql://…; es bleibt erhalten.",
    "The target, of the other kind; it must not exist.": "Das Ziel, das andere von beiden; es "
    "darf noch nicht da sein.",
    "moving": "zieht um",
    "games: {games}, revisions: {revisions}, moved to {file}": "Partien: {games}, Fassungen: "
    "{revisions}, umgezogen nach {file}",
    "path": "Datei",
    "bytes": "Bytes",
    "schema": "Schema",
    "revisions": "Fassungen",
    "events": "Turniere",
    "games: {games}, revisions: {revisions}, faults: {faults}": "Partien: {games}, Fassungen: "
    "{revisions}, Fehler: {faults}",
    "claimlog db rebuild restores the derived tables from the records": "claimlog db rebuild baut "
    "die abgeleiteten Tabellen aus den Aufzeichnungen neu auf",
    "restore damaged files in {folder} from a backup, or move them away": "beschädigte Dateien in "
    "{folder} aus einer Sicherung zurückholen oder wegräumen",
    "checking": "wird geprüft",
    "rebuilding": "wird neu aufgebaut",
    "{file}: {number} bytes": "{file}: {number} Bytes",
    "{before} bytes before, {after} after": "{before} Bytes vorher, {after} nachher",
    "restored from {file}": "aus {file} wiederhergestellt",
    "the previous archive is kept as {file}": "das bisherige Archiv liegt jetzt in {file}",
    # The server
    "Serve the archive over HTTP: pages for people, and an API documented at /docs.": "Das Archiv "
    "über HTTP bereitstellen: Seiten für Menschen und eine API, dokumentiert unter /docs.",
    "Logs go to standard error, one JSON object per line. Stops on SIGINT and SIGTERM.": "Das "
    "Protokoll geht auf die Fehlerausgabe, ein JSON-Objekt je Zeile. Endet bei SIGINT und SIGTERM.",
    "The port; 0: any free port.": "Der Port; 0: irgendein freier.",
    "Files or folders of games to serve, read-only, instead of an archive; nothing is stored.": ""
    "Dateien oder Ordner mit Partien, die statt eines Archivs gezeigt werden, nur zum Lesen; es "
    "wird nichts gespeichert.",
    "Reading needs a token, too.": "Auch zum Lesen ist ein Token nötig.",
    "Open the pages in the browser.": "Die Seiten im Browser öffnen.",
    "FILES cannot be combined with --db or --local-writing: nothing is stored": "FILES lassen "
    "sich nicht mit --db oder --local-writing kombinieren: es wird nichts gespeichert",
    "{number} of {games} games are not legal and not shown; claimlog validate says why": "{number} "
    "von {games} Partien sind nicht regelgerecht und fehlen; claimlog validate sagt, warum",
    "Whether requests from this machine may write without a token; by default they may if the "
    "server listens on this machine alone, until a token is created.": "Ob Anfragen von diesem "
    "Rechner ohne Token schreiben dürfen; ohne Angabe dürfen sie es, wenn der Server nur hier "
    "hört, bis es ein Token gibt.",
    "Write nothing at all.": "Gar nichts schreiben.",
    "An origin whose pages may use the API, https://example.org or *; repeatable.": "Eine "
    "Herkunft, deren Seiten die API nutzen dürfen, https://example.org oder *; mehrfach möglich.",
    "Requests per second for each client, 0 for no limit; by default no limit on this machine "
    "alone, otherwise 50.": "Anfragen je Sekunde und Client, 0 für beliebig viele; ohne Angabe "
    "auf diesem Rechner beliebig viele, sonst 50.",
    "Simultaneous requests for each client.": "Gleichzeitige Anfragen je Client.",
    "The maximum size of a single game in bytes; imports may be larger.": "So viele Bytes darf "
    "eine einzelne Partie höchstens haben; Importe dürfen größer sein.",
    "A host name that the server answers to; repeatable. By default any, but only localhost if "
    "it listens only on this machine, without --proxies.": "Ein Rechnername, unter dem der Server "
    "antwortet; mehrfach möglich. Sonst jeder, aber nur localhost, wo er ohne --proxies nur auf "
    "diesem Rechner hört.",
    "Addresses of reverse proxies whose X-Forwarded-For is trusted.": "Adressen von Reverse "
    "Proxys, deren X-Forwarded-For vertraut wird.",
    "Memory for the archive, such as 512MB or 4GB.": "Speicher für das Archiv, etwa 512MB oder "
    "4GB.",
    "{value} is not an amount of memory such as 512MB or 4GB": "{value} ist keine Speichermenge "
    "wie 512MB oder 4GB",
    "{file} was upgraded; as it was, it is kept as {copy}": "{file} wurde auf den neuen Stand "
    "gebracht; wie es war, liegt es in {copy}",
    "Log each request.": "Jede Anfrage protokollieren.",
    "claimlog serves {file} on {place}": "claimlog stellt {file} auf {place} bereit",
    "no pictures for links: pip install 'claimlog[pictures]' adds them": "keine Bilder für Links: "
    "pip install 'claimlog[pictures]' ergänzt sie",
    "reading: {reading}; writing: {writing}; documentation: /docs": "Lesen: {reading}; Schreiben: "
    "{writing}; Dokumentation: /docs",
    "open": "frei",
    "with a token": "mit Token",
    "no": "nein",
    "open on this machine, and with a token": "frei auf diesem Rechner, und mit Token",
    "open on this machine until the first token is created": "frei auf diesem Rechner, bis es ein "
    "Token gibt",
    "cannot listen on {place}: {why}": "kann nicht auf {place} hören: {why}",
    "Create, list and revoke tokens for the server.": "Token für den Server erstellen, auflisten "
    "und widerrufen.",
    "Create a token and print it; it cannot be shown again.": "Ein Token erstellen und ausgeben; "
    "es lässt sich nicht noch einmal zeigen.",
    "A running server accepts it at once.": "Ein laufender Server kennt es sofort.",
    "The owner; recorded with every change.": "Wem es gehört; wird bei jeder Änderung "
    "festgehalten.",
    "read: query; record: also store games; direct: also correct, delete and merge; admin: also "
    "back up, check and compact.": "read: abfragen; record: auch Partien aufnehmen; direct: auch "
    "berichtigen, löschen, zusammenlegen; admin: auch sichern, prüfen und verdichten.",
    "Days until it expires; by default never.": "Tage, bis es abläuft; sonst nie.",
    "List all tokens, without their secrets.": "Alle Token auflisten, ohne ihr Geheimnis.",
    "Revoke a token, at once and for good.": "Ein Token widerrufen, sofort und für immer.",
    "The token's id, as listed.": "Die Kennung des Tokens, wie in der Liste.",
    "{id}: scope {scope}, keep this safe:": "{id}: Berechtigung {scope}, bitte sicher aufbewahren:",
    "there are no tokens": "es gibt keine Token",
    "{id} is revoked": "{id} ist widerrufen",
    "this is recorded with the change and must not be blank": "das wird mit der Änderung "
    "festgehalten und darf nicht leer sein",
    "until {date}": "bis {date}",
    "active": "gültig",
    "revoked": "widerrufen",
    "expired": "abgelaufen",
}
