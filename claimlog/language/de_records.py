"""The German texts of the commands for records, by the English texts."""

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # Records
    "Check, replay, store and serve records of games of Claim.": "Partien von Claim prüfen, "
    "nachspielen, aufbewahren und bereitstellen.",
    "Replay games play by play, with what every power does.": "Partien Karte für Karte "
    "nachspielen, mit der Wirkung jeder Fähigkeit.",
    "On a terminal: step through them with the arrow keys (? lists the keys). Otherwise, or with "
    "--format or --trick, print them. Exit codes: 0 all games shown are valid, 1 some are not, 2 "
    "the file could not be read or the call was wrong.": "Auf einem Terminal: mit den Pfeiltasten "
    "blättern (? zeigt die Tasten). Sonst, oder mit --format oder --trick, werden sie ausgegeben. "
    "Rückgabewerte: 0 alle gezeigten Partien sind gültig, 1 manche nicht, 2 die Datei war nicht "
    "lesbar oder der Aufruf falsch.",
    "A file of games, a stored game's id, a game's code or link, or - for standard input.": ""
    "Eine Datei mit Partien, die Kennung einer Partie im Archiv, Code oder Link einer Partie, oder "
    "- für die Standardeingabe.",
    "Files, folders (searched for *.clm), both also in S3 (s3://bucket/folder/), ids of stored "
    "games, or - for standard input.": "Dateien, Ordner (darin alle *.clm), beides auch in S3 "
    "(s3://bucket/ordner/), Kennungen von Partien im Archiv, oder - für die Standardeingabe.",
    "Also show the problems that follow from a slip.": "Auch die Fehler zeigen, die aus einem "
    "Schreibfehler folgen.",
    "The number of the game in the file.": "Die Nummer der Partie in der Datei.",
    "Print the position after this trick.": "Die Stellung nach diesem Stich ausgeben.",
    "Show only what this seat, or a spectator, could see.": "Nur zeigen, was dieser Sitz oder ein "
    "Zuschauer sehen konnte.",
    "Print whole games, even on a terminal.": "Ganze Partien ausgeben, selbst auf einem Terminal.",
    "Play automatically, one play every so many seconds.": "Automatisch abspielen, alle so viele "
    "Sekunden eine Karte.",
    "Guess each card before it is shown.": "Jede Karte raten, bevor sie gezeigt wird.",
    "With --guess: only the plays of this seat.": "Mit --guess: nur, was dieser Sitz spielt.",
    "No colours (as with NO_COLOR set).": "Keine Farben (wie mit NO_COLOR).",
    "Check that records are legal games.": "Prüfen, ob Aufzeichnungen regelgerechte Partien sind.",
    "Exit codes: 0 all valid, 1 some invalid, 2 a file could not be read or the call was wrong.": ""
    "Rückgabewerte: 0 alle gültig, 1 manche ungültig, 2 eine Datei war nicht lesbar oder der "
    "Aufruf falsch.",
    "Files, folders (searched for *.clm), both also in S3 (s3://bucket/folder/), or - for "
    "standard input.": "Dateien, Ordner (darin alle *.clm), beides auch in S3 "
    "(s3://bucket/ordner/), oder - für die Standardeingabe.",
    "The format of the report.": "Das Format des Berichts.",
    "Only totals and a count of each problem.": "Nur Summen und wie oft jeder Fehler vorkommt.",
    "Treat warnings as errors.": "Warnungen gelten als Fehler.",
    "The number of processes; 0: one per core.": "Die Zahl der Prozesse; 0: einer je Kern.",
    "Rewrite records in canonical form.": "Aufzeichnungen in die kanonische Form bringen.",
    "A file with an invalid game is left as it is. Exit codes: 0 done (with --check or --diff: "
    "nothing would change), 1 a file would change or has invalid games, 2 a file could not be read "
    "or written.": "Eine Datei mit einer ungültigen Partie bleibt, wie sie ist. Rückgabewerte: 0 "
    "erledigt (mit --check oder --diff: nichts würde sich ändern), 1 eine Datei würde sich ändern "
    "oder hat ungültige Partien, 2 eine Datei war nicht lesbar oder nicht schreibbar.",
    "Files, folders (searched for *.clm), or - to format standard input to output.": "Dateien, "
    "Ordner (darin alle *.clm), oder - für Standardeingabe und -ausgabe.",
    "Write nothing; exit with 1 if a file would change.": "Nichts schreiben; Rückgabewert 1, wenn "
    "sich eine Datei ändern würde.",
    "Write nothing; show what would change.": "Nichts schreiben; zeigen, was sich ändern würde.",
    "The compact form: all tricks on one line.": "Die knappe Form: alle Stiche auf einer Zeile.",
    # Pictures
    "Draw a moment of a game: the cards, the hands, the standing of the factions.": ""
    "Eine Stellung aus einer Partie zeichnen: die Karten, die Hände, den Stand der Fraktionen.",
    'PNG and --course need the extra "pictures" (docs/library.md); SVG needs nothing. Exit '
    "codes: 0 the game is valid, 1 it is not, 2 the file could not be read or the call was "
    "wrong.": 'PNG und --course brauchen das Extra "pictures" (docs/library.md), SVG nichts. '
    "Rückgabewerte: 0 die Partie ist gültig, 1 sie ist es nicht, 2 die Datei war nicht lesbar oder "
    "der Aufruf falsch.",
    "The file to write, .svg or .png; - is standard output.": "Die Datei, .svg oder .png; - ist "
    "die Standardausgabe.",
    "The trick; by default the last one.": "Der Stich; sonst der letzte.",
    "After this many plays of the trick; by default after all, with --worth before the first.": ""
    "Nach so vielen Karten des Stichs; sonst nach allen, mit --worth vor der ersten.",
    "no card has a value here: there is no choice, or the values are not known": "hier hat keine "
    "Karte einen Wert: Es gibt keine Wahl, oder die Werte sind nicht bekannt",
    "Plot the factions trick by trick.": "Ein Diagramm der Fraktionen, Stich für Stich.",
    "The size in pixels.": "Die Größe in Pixeln.",
    "The colours; auto follows the theme of the viewer (SVG).": "Die Farben; auto wie beim "
    "Betrachter eingestellt (SVG).",
    "The format, whatever the suffix of the file.": "Das Format, unabhängig von der Endung der "
    "Datei.",
    "this picture needs {name}, which is not installed: pip install 'claimlog[pictures]'": ""
    "dieses Bild braucht {name}, das nicht installiert ist: pip install 'claimlog[pictures]'",
    "{file} does not end in .svg or .png: choose one with --format": "{file} endet nicht auf .svg "
    "oder .png: das Format mit --format angeben",
    "PNG cannot be printed on a terminal: name a file with --output": "PNG lässt sich nicht auf "
    "einem Terminal ausgeben: mit --output eine Datei nennen",
    "--course shows the whole game and cannot be combined with --trick, --play, --theme or "
    "--worth": "--course zeigt die ganze Partie und lässt sich nicht mit --trick, --play, --theme "
    "oder --worth kombinieren",
    "Write on the cards of Phase 2 what each would be worth.": "Auf die Karten von Phase 2 "
    "schreiben, was jede wert wäre.",
    "{value} is not a size: write WIDTHxHEIGHT in pixels, as in 1200x800, each from 10 to "
    "{most}": "{value} ist keine Größe: BREITExHÖHE in Pixeln, wie 1200x800, je von 10 bis {most}",
    "Draw the rates with their intervals into this file, .svg or .png; - is standard output.": ""
    "Die Anteile mit ihren Intervallen in diese Datei zeichnen, .svg oder .png; - ist die "
    "Standardausgabe.",
    "dashed line: what to expect in such games": "gestrichelt: was in solchen Partien zu erwarten "
    "ist",
    "rate with its 95 % interval; at the right, the number counted": "Anteil mit "
    "95-%-Intervall; rechts, wie viele gezählt wurden",
    "Show which plays of Phase 2 gave something away, by exact search.": "Zeigen, welche Karten "
    "der Phase 2 etwas verschenkt haben, genau berechnet.",
    "A value is the result with best play by both sides, and the factions that each wins; "
    "nothing is estimated (docs/analysis.md). ?? changed the result, ? cost a faction, ! was the "
    "only card. With three players it is what a seat can secure; with three or four only the "
    "last tricks have values. With --all the effort is per game, and only two-player games "
    "count; it can be interrupted, and resumes where it stopped.": "Ein Wert ist das Ergebnis bei "
    "bestem Spiel beider Seiten und die Fraktionen jeder Seite; nichts ist geschätzt "
    "(docs/analysis.md). ?? änderte das Ergebnis, ? kostete eine Fraktion, ! war die einzige "
    "Karte. Zu dritt ist er, was ein Sitz sich sichern kann; zu dritt und zu viert haben nur die "
    "letzten Stiche Werte. Mit --all gilt der Aufwand für eine Partie, und nur Partien zu zweit "
    "zählen; man kann unterbrechen und später dort weitermachen.",
    "Analyse all games of the archive that are not analysed yet, and keep the analyses for the "
    "statistics and the server.": "Alle Partien des Archivs auswerten, die es noch nicht sind; "
    "die Auswertungen bleiben für die Statistik und den Server gespeichert.",
    "With --all: how often the followers of Phase 2 are redealt, to tell luck from skill.": ""
    "Mit --all: wie oft die Anhänger der Phase 2 neu ausgeteilt werden, um Glück und Können zu "
    "trennen.",
    "--all can be combined only with --effort, --redeals, --inexact, --cluster and --db": ""
    "--all geht nur mit --effort, --redeals, --inexact, --cluster und --db",
    "With --all: also re-analyse the games whose values are not all exact; give a larger "
    "--effort.": "Mit --all: auch die Partien neu auswerten, deren Werte nicht alle genau sind; "
    "dazu ein größeres --effort angeben.",
    "give a game to analyse, or --all": "eine Partie angeben, oder --all",
    "--redeals, --inexact and --cluster need --all": "--redeals, --inexact und --cluster brauchen "
    "--all",
    "a server is using this archive: stop it first, as only one process can write the file": "ein "
    "Server benutzt dieses Archiv: bitte zuerst beenden, denn nur ein Prozess kann die Datei "
    "schreiben",
    "analysing": "wird ausgewertet",
    "{number} game analysed": "{number} Partie ausgewertet",
    "{number} games analysed": "{number} Partien ausgewertet",
    "{number} game has values left open and does not count in all statistics: --all --inexact with "
    "a larger --effort": "{number} Partie hat offene Werte und zählt nicht in allen Statistiken: "
    "--all --inexact mit größerem --effort",
    "{number} games have values left open and do not count in all statistics: --all --inexact with "
    "a larger --effort": "{number} Partien haben offene Werte und zählen nicht in allen "
    "Statistiken: --all --inexact mit größerem --effort",
    "Exit codes: 0 all games were analysed, 1 some could not be, or not completely, 2 the file "
    "could not be read or the call was wrong.": "Rückgabewerte: 0 alle Partien sind "
    "ausgewertet, 1 einige nicht oder nicht ganz, 2 die Datei war nicht lesbar oder der Aufruf "
    "falsch.",
    "Only this trick, with the value of every legal card.": "Nur dieser Stich, mit dem Wert jeder "
    "erlaubten Karte.",
    "Only the decisions of this seat.": "Nur die Entscheidungen dieses Sitzes.",
    "json: one line per game.": "json: eine Zeile je Partie.",
    "Search at most this many thousand positions per answer.": "Je Antwort höchstens so viele "
    "tausend Stellungen durchsuchen.",
    "Write marks and values into the record.": "Zeichen und Werte in die Aufzeichnung schreiben.",
    "With --annotate: also replace marks set by hand.": "Mit --annotate: auch von Hand gesetzte "
    "Zeichen ersetzen.",
    "With --annotate: the file to write instead of the one read; - is standard output.": "Mit "
    "--annotate: die Datei, in die geschrieben wird, statt der gelesenen; - ist die "
    "Standardausgabe.",
    "--replace and --output need --annotate": "--replace und --output brauchen --annotate",
    "--annotate writes whole games and cannot be combined with --trick, --seat or --format": ""
    "--annotate schreibt ganze Partien und lässt sich nicht mit --trick, --seat oder --format "
    "kombinieren",
    "Print the code of each game, one per line: a whole game in about 50 characters.": "Den Code "
    "jeder Partie ausgeben, einen je Zeile: eine ganze Partie in etwa 50 Zeichen.",
    "claimlog replay takes a code or a link in place of a file. A code holds the deck, the "
    "plays, the draws and how the game ended, but no names, comments or clock times; a link adds "
    "the names. With --url and --qr, a phone's camera opens the game.": "claimlog replay nimmt "
    "statt einer Datei auch einen Code oder Link. Ein Code enthält Deck, gespielte und gezogene "
    "Karten und wie die Partie endete, aber keine Namen, Kommentare und Zeiten; im Link stehen "
    "die Namen dabei. Mit --url und --qr öffnet ein Handy die Partie mit seiner Kamera.",
    "Also print each code or link as a QR code, below it.": "Unter jedem Code oder Link auch "
    "seinen QR-Code ausgeben.",
    "Exit codes: 0 all games have a code, 1 some have none, 2 the file could not be read.": ""
    "Rückgabewerte: 0 alle Partien haben einen Code, 1 einige nicht, 2 die Datei war nicht lesbar.",
    "A file, - for standard input, or the id of a stored game.": "Eine Datei, - für die "
    "Standardeingabe, oder die Kennung einer gespeicherten Partie.",
    "Only this game of the file.": "Nur diese Partie der Datei.",
    "The address of a server: print whole links, with names and event.": "Die Adresse eines "
    "Servers: ganze Links ausgeben, mit Namen und Turnier.",
    "{file}: game {number}": "{file}: Partie {number}",
    "Write simulated games in canonical form.": "Simulierte Partien in kanonischer Form schreiben.",
    "Exit codes: 0 done, 2 the call was wrong or the output could not be written.": ""
    "Rückgabewerte: 0 erledigt, 2 der Aufruf war falsch oder die Ausgabe nicht schreibbar.",
    "How many games.": "Wie viele Partien.",
    "Players at the table.": "Spieler am Tisch.",
    "Faction letters, as in GKUWX; random: a new deck for each game.": "Buchstaben der Fraktionen, "
    "etwa GKUWX; random: jedes Mal ein anderes Deck.",
    "A ruling, as in trolls=line; repeatable.": "Eine Auslegung, etwa trolls=line; "
    "mehrfach möglich.",
    "The same seed gives the same games.": "Derselbe Startwert ergibt dieselben Partien.",
    "random, greedy, expert or perfect; or one for each seat, separated by commas.": "random, "
    "greedy, expert oder perfect; oder eine für jeden Sitz, durch Kommas getrennt.",
    "The file to write; - is standard output.": "Die Datei; - ist die Standardausgabe.",
    "Show the cards and powers of a faction, or of all, and the rulings.": "Karten und Fähigkeiten "
    "einer Fraktion oder aller zeigen, und die Auslegungen.",
    "A faction, by its letter or name.": "Eine Fraktion, nach Buchstabe oder Name.",
    "{file} contains no games": "{file} enthält keine Partie",
    "--check and --diff write nothing, --fix does": "--check und --diff schreiben nichts, --fix "
    "schon",
    "{number} invalid": "{number} ungültig",
    "{number} with warnings": "{number} mit Warnungen",
    "{number} game": "{number} Partie",
    "{number} games": "{number} Partien",
    "error": "Fehler",
    "warning": "Warnung",
    "valid": "gültig",
    "invalid": "ungültig",
    "complete": "vollständig",
    "with warnings": "mit Warnungen",
    "formatted {file}": "{file} formatiert",
    "not formatted: {error}": "nicht formatiert: {error}",
    "{file} cannot be formatted: {why}": "{file} kann nicht formatiert werden: {why}",
    "would change {file}": "{file} würde sich ändern",
    "{file}: files in S3 are read, not written; copy it first": "{file}: Dateien in S3 werden nur "
    "gelesen; bitte erst kopieren",
    "{file}: packed files are read, not written; unpack it first": "{file}: Gepackte Dateien "
    "werden nur gelesen; bitte erst entpacken",
    "{file}: pipes and devices are read, not written; name a file": "{file}: Pipes und Geräte "
    "werden nur gelesen; gebraucht wird der Name einer Datei",
    "--check and --diff need a file: standard input can only be formatted": "--check und --diff "
    "brauchen eine Datei: Die Standardeingabe lässt sich nur formatieren",
    "{key} is given twice, and differently": "{key} ist doppelt und verschieden angegeben",
    "a ruling is written key=value, like trolls=line, not {text}": "eine Auslegung schreibt man "
    "wie trolls=line, nicht {text}",
    # In and out
    "Store games in the archive; those with errors are refused, the rest are stored.": "Partien "
    "ins Archiv aufnehmen; fehlerhafte werden abgewiesen, die übrigen aufgenommen.",
    "Exit codes: 0 all stored or known, 1 some refused, 2 a file could not be read or the "
    "archive could not be used.": "Rückgabewerte: 0 alle aufgenommen oder schon da, 1 manche "
    "abgewiesen, 2 eine Datei war nicht lesbar oder das Archiv nicht benutzbar.",
    "The archive, a file or postgresql://…; by default the file in your data directory.": "Das "
    "Archiv, eine Datei oder postgresql://…; sonst die Datei im eigenen Datenverzeichnis.",
    "The lake of an archive in PostgreSQL, a folder or s3://bucket/prefix; only a new one needs "
    "it.": "Der Lake eines Archivs in PostgreSQL, ein Ordner oder s3://bucket/prefix; nur ein "
    "neues braucht ihn.",
    "Copy what was stored in PostgreSQL to the lake, which lists and statistics read.": "Was in "
    "PostgreSQL gespeichert wurde, in den Lake übertragen, den Listen und Statistik lesen.",
    "Runs alongside the servers until SIGINT or SIGTERM. If several run, one works and the "
    "others wait to take over. While PostgreSQL or the lake does not answer, it waits and says "
    "so.": "Läuft neben den Servern bis SIGINT oder SIGTERM. Laufen mehrere, arbeitet einer, und "
    "die anderen stehen bereit. Solange PostgreSQL oder der Lake nicht antwortet, wartet der "
    "Befehl und meldet es.",
    "Exit codes: 0 stopped, or with --once everything is copied; 2 the archive cannot be used, "
    "or with --once does not answer.": "Rückgabewerte: 0 beendet, oder mit --once alles "
    "übertragen; 2 das Archiv lässt sich nicht benutzen, oder antwortet mit --once nicht.",
    "How far lists may lag behind single games; a longer time means less work.": "Wie weit die "
    "Listen hinter einzelnen Partien zurückbleiben dürfen; mehr Zeit heißt weniger Arbeit.",
    "{why}; waiting up to {number} s for an answer": "{why}; warte bis zu {number} s auf eine "
    "Antwort",
    "{why}; retrying until it answers": "{why}; neue Versuche, bis eine Antwort kommt",
    "an archive is a file or postgresql://…, not {place}": "ein Archiv ist eine Datei oder "
    "postgresql://…, nicht {place}",
    "this continued a check begun on {when} (UTC); with --afresh, what that one had compared is "
    "compared again": "das war die Fortsetzung einer am {when} (UTC) begonnenen Prüfung; mit "
    "--afresh wird auch das noch einmal verglichen, was jene schon verglichen hatte",
    "{number} revisions were not compared: claimlog index has not copied them to the lake yet": ""
    "{number} Fassungen wurden nicht verglichen: claimlog index hat sie noch nicht in den Lake "
    "übertragen",
    "For an archive in PostgreSQL these are its lake; --lake rebuilds it in another place.": "Bei "
    "einem Archiv in PostgreSQL ist das sein Lake; mit --lake entsteht er an einem anderen Ort "
    "neu.",
    "Let the workers of a Dask scheduler do it, tcp://host:port; they must see the files under "
    "the same names.": "Die Worker eines Dask-Schedulers arbeiten lassen, tcp://host:port; sie "
    "müssen die Dateien unter denselben Namen sehen.",
    "--cluster needs an archive in PostgreSQL: --db postgresql://…": "--cluster braucht ein "
    "Archiv in PostgreSQL: --db postgresql://…",
    "Copy what is there now, and exit.": "Übertragen, was jetzt da ist, und beenden.",
    "claimlog indexes {file}": "claimlog indiziert {file}",
    "{number} revisions indexed": "{number} Fassungen indiziert",
    "Who makes the change; recorded with it, unless a token says who.": "Wer die Änderung macht; "
    "wird mit ihr festgehalten, wenn kein Token sagt, wer es ist.",
    "--by is missing: only a server knows from a token who makes the change": "--by fehlt: Nur ein "
    "Server erfährt durch ein Token, wer die Änderung macht",
    "Send the games to a running server, http://127.0.0.1:8000; by default the one in "
    "CLAIMLOG_SERVER.": "Die Partien an einen laufenden Server schicken, http://127.0.0.1:8000; "
    "sonst an den in CLAIMLOG_SERVER.",
    "Ask a running server instead.": "Stattdessen einen laufenden Server fragen.",
    "The token for --server.": "Das Token für --server.",
    "The token for the server.": "Das Token für den Server.",
    "Print one JSON object per game, each on its own line, instead of the report.": "Statt des "
    "Berichts je Partie ein JSON-Objekt ausgeben, eines je Zeile.",
    "stored": "aufgenommen",
    "known already": "schon bekannt",
    "deleted earlier, not stored again": "früher gelöscht, nicht wieder aufgenommen",
    "refused": "abgewiesen",
    "{number} unfinished": "{number} nicht beendet",
    "--db and --server cannot be combined: a server has its own archive": "--db und --server "
    "schließen sich aus: Ein Server hat sein eigenes Archiv",
    "game {id} was deleted earlier; claimlog game undelete brings it back": "Partie {id} wurde "
    "früher gelöscht; claimlog game undelete holt sie zurück",
    "claimlog import creates one": "claimlog import legt eines an",
    "Write games to a file or to standard output, the oldest first.": "Partien in eine Datei oder "
    "auf die Standardausgabe schreiben, die ältesten zuerst.",
    "With --html, one game becomes a page for any browser that steps through the game as "
    "claimlog replay does; everything it needs is in the file.": "Mit --html wird eine Partie zu "
    "einer Seite für jeden Browser, auf der man sie durchgeht wie mit claimlog replay; alles "
    "Nötige steht in der Datei.",
    "With --html: a file, a stored game's id, a game's code or link, or - for standard input.": ""
    "Mit --html: eine Datei, die Kennung einer gespeicherten Partie, der Code oder Link einer "
    "Partie, oder - für die Standardeingabe.",
    "Write GAME as a page to step through, even offline.": "GAME als Seite zum Durchgehen "
    "schreiben, auch ohne Netz.",
    "With --html: the game of the file.": "Mit --html: die Partie der Datei.",
    "With --html: also show what each card of Phase 2 was worth.": "Mit --html: auch zeigen, was "
    "jede Karte von Phase 2 wert war.",
    "With --html: include only what this seat, or a spectator, could see.": "Mit --html: nur "
    "aufnehmen, was dieser Sitz oder ein Zuschauer sehen konnte.",
    "--html needs a game: a file, an id, a code or a link": "--html braucht eine Partie: eine "
    "Datei, eine Kennung, einen Code oder einen Link",
    "--html writes one game and cannot be combined with filters, --format or --output": "--html "
    "schreibt eine Partie und lässt sich nicht mit Filtern, --format oder --output kombinieren",
    "a game can be named only with --html; otherwise filters choose the games": "nur mit --html "
    "lässt sich eine Partie nennen; sonst wählen Filter die Partien aus",
    "Records, or tables of games; by default as the file is named, otherwise clm.": "Aufzeichnungen"
    " oder Tabellen von Partien; sonst nach der Endung der Datei, ohne eine bekannte clm.",
    "Parquet cannot be printed on a terminal: name a file with --output": "Parquet lässt sich "
    "nicht auf einem Terminal ausgeben: mit --output eine Datei nennen",
    "Repair games that exactly one repair makes legal, after asking.": "Partien berichtigen, die "
    "genau eine Berichtigung regelgerecht macht, nach Rückfrage.",
    "With --fix: do not ask.": "Mit --fix: nicht nachfragen.",
    "--fix needs a file: standard input cannot be written": "--fix braucht eine Datei: Die "
    "Standardeingabe lässt sich nicht schreiben",
    "{file} cannot be repaired: {why}": "{file} kann nicht berichtigt werden: {why}",
    "{number} repair": "{number} Berichtigung",
    "{number} repairs": "{number} Berichtigungen",
    "Write {repairs} to {file}?": "{repairs} in {file} schreiben?",
    "{file} is unchanged": "{file} bleibt unverändert",
    "{repairs} written to {file}": "{repairs} in {file} geschrieben",
    "--fix needs --yes if it cannot ask": "--fix braucht --yes, wenn es nicht nachfragen kann",
    "y/N": "j/N",
    "If a game seems to be stored already but differs (the same event, round and table, or "
    "event, round and players, or players, deck and first six tricks), you are asked what to do "
    "on a terminal; otherwise it is refused, unless --replace or --beside decides.": "Scheint "
    "eine Partie schon im Archiv zu sein, weicht aber ab (gleich in Turnier, Runde und Tisch, "
    "oder Turnier, Runde und Spielern, oder Spielern, Deck und den ersten sechs Stichen), wird "
    "auf einem Terminal nachgefragt; sonst wird sie abgewiesen, wenn nicht --replace oder "
    "--beside darüber entscheidet.",
    "Store such a game as a new revision of the stored one.": "Eine solche Partie als neue "
    "Fassung der vorhandenen aufnehmen.",
    "Store such a game as a separate game.": "Eine solche Partie als eigene Partie aufnehmen.",
    "--replace and --beside cannot be combined: a game is one or the other": "--replace und "
    "--beside schließen sich aus: Eine Partie ist das eine oder das andere",
    "this seems to be game {id}, with {common}, but differs from it:": "das scheint Partie {id} zu "
    "sein, mit {common}, ist aber anders:",
    "the same event, round and table": "gleichem Turnier, gleicher Runde und gleichem Tisch",
    "the same event, round and players": "gleichem Turnier, gleicher Runde und gleichen Spielern",
    "the same players, deck and first six tricks": "gleichen Spielern, gleichem Deck und gleichen "
    "ersten sechs Stichen",
    "new revisions of stored games": "neue Fassungen vorhandener Partien",
    "in doubt, not stored": "zweifelhaft, nicht aufgenommen",
    "… and {number} more lines": "… und {number} weitere Zeilen",
    "and {others}": "und {others}",
    "[r]eplace the stored game, store it [b]eside, or [s]kip it?": "Gespeicherte Partie "
    "[e]rsetzen, [b]eide behalten oder diese über[s]pringen?",
    "r, b or s; R, B or S for all others too": "e, b oder s; E, B oder S für alle weiteren auch",
    "store it [b]eside, or [s]kip it?": "[b]eide behalten oder diese über[s]pringen?",
    "b or s; B or S for all others too": "b oder s; B oder S für alle weiteren auch",
    "{server} stopped before the end": "{server} hat vor dem Ende aufgehört",
    "; games reported as stored are stored": "; Partien, die als gespeichert gemeldet "
    "wurden, sind gespeichert",
    "--server URL asks it": "--server URL fragt ihn",
    "give one with --token or in CLAIMLOG_TOKEN; whoever runs the server can create it with "
    "claimlog token create": "es wird mit --token oder in CLAIMLOG_TOKEN angegeben; wer den "
    "Server betreibt, erstellt es mit claimlog token create",
    "ask whoever runs the server for another token": "wer den Server betreibt, kann ein anderes "
    "Token geben",
    "--replace makes such games new revisions of the stored ones, --beside stores them as "
    "separate games; claimlog game shows a stored one": "--replace macht solche Partien zu neuen "
    "Fassungen der vorhandenen, --beside nimmt sie als eigene Partien auf; claimlog game zeigt "
    "eine vorhandene",
    "List pairs of stored games that seem to be the same game.": "Paare gespeicherter Partien "
    "auflisten, die ein und dieselbe zu sein scheinen.",
    "They have the event, round and table in common, or the event, round and players, or the "
    "players, the deck and the first six tricks. claimlog game delete removes one of them.": ""
    "Gemeinsam sind ihnen Turnier, Runde und Tisch, oder Turnier, Runde und Spieler, oder "
    "Spieler, Deck und die ersten sechs Stiche. claimlog game delete entfernt eine davon.",
    "game": "Partie",
    "other game": "andere Partie",
    "the same": "gleich in",
    "{number} left out; please correct them": "{number} ausgelassen; bitte berichtigen",
    # record
    "The record to write, or to continue.": "Die Aufzeichnung, die begonnen oder fortgesetzt wird.",
    "A player's name, seat by seat.": "Name eines Spielers, Sitz für Sitz.",
    "The event.": "Das Turnier.",
    "The letters of the factions.": "Die Buchstaben der Fraktionen.",
    "The seat that leads trick 1.": "Der Sitz, der zu Stich 1 ausspielt.",
    "Ask for the hands, and show what is legal.": "Nach den Händen fragen und zeigen, was "
    "erlaubt ist.",
    "Send the game to a running server, http://127.0.0.1:8000; by default the one in "
    "CLAIMLOG_SERVER.": "Die Partie an einen laufenden Server senden, http://127.0.0.1:8000; sonst "
    "an den in CLAIMLOG_SERVER.",
    "Record a game while it is played, card by card.": "Eine Partie aufzeichnen, während sie "
    "gespielt wird, Karte für Karte.",
    "Every card is saved at once; to continue a game, open its file again. The command asks for "
    "whatever a new record needs and no option gives. At the end it offers to import the game. "
    "Exit codes: 0 done, 2 the file cannot be used or the call was wrong.": "Jede Karte wird "
    "sofort gespeichert; wer die Datei wieder öffnet, macht weiter. Was eine neue Aufzeichnung "
    "braucht und keine Option angibt, fragt der Befehl ab. Am Ende bietet er an, die Partie zu "
    "importieren. Rückgabewerte: 0 fertig, 2 die Datei ist nicht zu gebrauchen oder der Aufruf "
    "war falsch.",
    "record needs a terminal": "record braucht ein Terminal",
    "All that was entered is kept in {file}.": "Alles Eingegebene steht in {file}.",
    "Who records the game.": "Wer die Partie aufzeichnet.",
    "This event, round and table is recorded already: {what}": "Dieses Turnier, diese Runde und "
    "dieser Tisch sind schon aufgezeichnet: {what}",
    "Record another game of it?": "Eine weitere Partie davon aufzeichnen?",
    "  In the archive: {names} (-: {name}, as typed)": "  Im Archiv: {names} (-: {name}, wie "
    "getippt)",
    "  (-: back to the question before)": "  (-: zurück zur Frage davor)",
    "  There is no question before this one.": "  Vor dieser gibt es keine Frage.",
    "The director still has to decide: trick {trick}, {card} of {name}.": "Die Turnierleitung muss "
    "noch entscheiden: Stich {trick}, {card} von {name}.",
    "Import the game now?": "Die Partie jetzt importieren?",
    'The Raccoons that show loot, as in "R2 R5".': 'Die Waschbären mit Beute, etwa "R2 R5".',
    "The letters of the factions": "Die Buchstaben der Fraktionen",
    "Event (Enter: none)": "Turnier (Enter: keines)",
    "Round (Enter: none)": "Runde (Enter: keine)",
    "Table (Enter: none)": "Tisch (Enter: keiner)",
    "{seat} (Enter: no more players)": "{seat} (Enter: niemand mehr)",
    "and {number} of: {factions}": "und {number} von: {factions}",
    "--rules must be {names}": "--rules muss {names} sein",
    " or ": " oder ",
    "Rule set, {names}": "Regelwerk, {names}",
    "there is no ruling {word}; the rulings are {known}": "eine Auslegung {word} gibt es nicht; "
    "es gibt {known}",
    "a seat is 1 to {number}": "ein Sitz ist 1 bis {number}",
    "Who leads trick 1: {names}": "Wer spielt zu Stich 1 aus: {names}",
    "Which Raccoons show loot, as in R2 R5 (Enter: not known, no loot is counted)": "Welche "
    "Waschbären zeigen Beute, etwa R2 R5 (Enter: unbekannt, Beute zählt nicht)",
    "{card} is not a Raccoon; they are R0 to R13": "{card} ist kein Waschbär; es gibt R0 bis R13",
    "The hand of {name}": "Die Hand von {name}",
    "{question} (-: that of {name} was wrong)": "{question} (-: die von {name} war falsch)",
    "Seat {number}": "Sitz {number}",
}
