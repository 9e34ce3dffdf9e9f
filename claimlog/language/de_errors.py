"""Was Archiv und Server verweigern, auf Deutsch: nach dem englischen Wortlaut, mit Platzhaltern.

Der englische steht dort, wo der Fehler entsteht; auch ein Server sendet ihn so.
"""

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # Codes of games
    "{code} is not the code of a game": "{code} ist nicht der Code einer Partie",
    "the code {code} is mistyped, cut off or of a newer claimlog": "der Code {code} ist vertippt, "
    "abgeschnitten oder von einem neueren claimlog",
    "this game has no code: {why}": "diese Partie hat keinen Code: {why}",
    # Files
    "there is no archive at {path}": "bei {path} gibt es kein Archiv",
    "{path} is in use by another process, and only one can have it open; if that is a claimlog "
    "server, ask it over HTTP": "{path} ist von einem anderen Prozess geöffnet, und nur einer kann "
    "es öffnen; ist das ein Server von claimlog, so wird er über HTTP gefragt",
    "this needs more memory than there is at the moment": "dafür reicht der Speicher im Moment "
    "nicht",
    "the question was given up: its memory was needed for storing games": "die Frage wurde "
    "abgebrochen: ihr Speicher wurde gebraucht, um Partien zu speichern",
    "the question has been cancelled": "die Frage wurde abgebrochen",
    "there is no room left on the disk of {path}: {message}": "auf dem Datenträger von {path} ist "
    "kein Platz mehr: {message}",
    "there is no room left on the disk of {path}": "auf dem Datenträger von {path} ist kein Platz "
    "mehr",
    "{path} was written by a newer DuckDB: {message}": "{path} wurde von einem neueren DuckDB "
    "geschrieben: {message}",
    "{path} has schema {version}; this claimlog knows {known} and older": "{path} hat das Schema "
    "{version}; dieses claimlog kennt {known} und ältere",
    "{path} has factions that this claimlog does not know": "{path} hat Fraktionen, die dieses "
    "claimlog nicht kennt",
    "{path} numbers the cards differently from claimlog/cards.py: factions keep their places "
    "there, and new ones go to the end": "{path} zählt die Karten anders als claimlog/cards.py: "
    "Fraktionen behalten dort ihren Platz, und neue kommen ans Ende",
    "{path} has the older schema {version}: open it for writing once": "{path} hat noch das Schema "
    "{version}: Es muss einmal zum Schreiben geöffnet werden",
    "{path} has games that were stored just before its process ended: open it for writing once": ""
    "{path} enthält Partien, die kurz vor dem Ende des Prozesses gespeichert wurden: Es muss "
    "einmal zum Schreiben geöffnet werden",
    "{path} was opened for reading only": "{path} wurde nur zum Lesen geöffnet",
    "{path} has been closed": "{path} ist geschlossen",
    "{path} cannot be created: {why}": "{path} kann nicht angelegt werden: {why}",
    "{path} cannot be opened: {why}": "{path} kann nicht geöffnet werden: {why}",
    "{path} cannot be read: {why}": "{path} kann nicht gelesen werden: {why}",
    "{path} cannot be written: {why}": "{path} kann nicht geschrieben werden: {why}",
    "{path} cannot be written": "{path} kann nicht geschrieben werden",
    "{path} is not a file": "{path} ist keine Datei",
    "{path} is a DuckDB file, but no claimlog archive": "{path} ist eine Datei von DuckDB, aber "
    "kein Archiv von claimlog",
    "{path} is no claimlog archive": "{path} ist kein Archiv von claimlog",
    "{path} is a folder, not an archive": "{path} ist ein Ordner, kein Archiv",
    "{path} is a folder: give the name of the file to write": "{path} ist ein Ordner: Gebraucht "
    "wird der Name der neuen Datei",
    "there is a file at {path} already": "bei {path} gibt es schon eine Datei",
    "{path} is there already": "{path} gibt es schon",
    "there is no backup at {path}": "bei {path} gibt es keine Sicherung",
    "there is an archive at {path}; it is replaced only by force": "bei {path} gibt es ein Archiv; "
    "es wird nur mit --force ersetzt",
    "somebody has been reading for more than {seconds} seconds; nothing was changed": "jemand "
    "liest schon länger als {seconds} Sekunden; nichts wurde geändert",
    "the {name}'s {condition} are not among the filter's": "{condition} von {name} passt nicht zum "
    "Filter",
    "the log could not be worked in; nothing was changed": "das Log konnte nicht eingearbeitet "
    "werden; nichts wurde geändert",
    "there was no room left": "es war kein Platz mehr",
    "there is no room for an import: {why}": "für einen Import ist kein Platz: {why}",
    "an import cannot write its rows: {why}": "ein Import kann seine Zeilen nicht schreiben: {why}",
    "{path} is empty, but its log {log} is there, with games that are nowhere else. Nothing was "
    "changed. Put the file back beside its log, or put a backup in place with claimlog db restore; "
    "to begin anew, move the log away": "{path} ist leer, aber das Log {log} ist da, mit Partien, "
    "die sonst nirgends stehen. Nichts wurde geändert. Die Datei gehört wieder neben ihr Log, oder "
    "claimlog db restore setzt eine Sicherung ein; wer neu beginnen will, verschiebt das Log",
    "{path} is missing, but its log {log} is there, with games that are nowhere else. Nothing was "
    "changed. Put the file back beside its log, or put a backup in place with claimlog db restore; "
    "to begin anew, move the log away": "{path} fehlt, aber das Log {log} ist da, mit Partien, die "
    "sonst nirgends stehen. Nichts wurde geändert. Die Datei gehört wieder neben ihr Log, oder "
    "claimlog db restore setzt eine Sicherung ein; wer neu beginnen will, verschiebt das Log",
    "{path} has been cut off after {size} bytes, and holds less than it should. Nothing was "
    "changed. Put a backup in place with claimlog db restore": "{path} ist nach {size} Bytes "
    "abgeschnitten und enthält weniger, als es sollte. Nichts wurde geändert. claimlog db restore "
    "setzt eine Sicherung ein",
    "{log}, the archive's log, is damaged at its beginning, and may hold games that are nowhere "
    "else. {what}": "{log}, das Log des Archivs, ist am Anfang beschädigt und enthält vielleicht "
    "Partien, die sonst nirgends stehen. {what}",
    "{log}, the archive's log, is damaged at byte {at}, and holds games after that which are "
    "nowhere else. {what}": "{log}, das Log des Archivs, ist bei Byte {at} beschädigt und enthält "
    "danach Partien, die sonst nirgends stehen. {what}",
    "Nothing was changed. Keep a copy of both files, and put a backup in place with claimlog db "
    "restore; without one, the archive without what its log holds is to be had by moving the log "
    "away": "Nichts wurde geändert. Beide Dateien sollten kopiert werden; claimlog db restore "
    "setzt eine Sicherung ein. Ohne Sicherung wird das Log verschoben: Dann bleibt das Archiv ohne "
    "das, was nur im Log steht",
    # PostgreSQL and the lake
    "an archive on PostgreSQL needs more packages: pip install 'claimlog[cluster]'": "ein Archiv "
    "in PostgreSQL braucht weitere Pakete: pip install 'claimlog[cluster]'",
    "DuckDB {version} and its extension {name} do not go together: pip install "
    "'claimlog[cluster]' installs those that do": "DuckDB {version} und seine Erweiterung {name} "
    "passen nicht zusammen: pip install 'claimlog[cluster]' installiert passende",
    "{path} has other tables than this claimlog knows: {why}": "{path} hat andere Tabellen, als "
    "dieses claimlog kennt: {why}",
    "{path} is PostgreSQL {version}; {oldest} or newer is needed": "{path} ist PostgreSQL "
    "{version}; gebraucht wird {oldest} oder neuer",
    "{path} cannot be reached: {why}": "{path} ist nicht zu erreichen: {why}",
    "{path} does not answer: {why}": "{path} antwortet nicht: {why}",
    "somebody else changed the same at the same moment: try again": "jemand anders hat im selben "
    "Moment dasselbe geändert: bitte noch einmal versuchen",
    "a lake goes with an archive in PostgreSQL: --db postgresql://…": "ein Lake gehört zu einem "
    "Archiv in PostgreSQL: --db postgresql://…",
    "a lake is a folder or s3://bucket/prefix, not {text}": "ein Lake ist ein Ordner oder "
    "s3://bucket/prefix, nicht {text}",
    "a new archive in PostgreSQL needs a lake: give one with --lake": "ein neues Archiv in "
    "PostgreSQL braucht einen Lake: anzugeben mit --lake",
    "an archive in PostgreSQL is backed up with pg_dump; its lake is made again from that by "
    "claimlog db rebuild": "ein Archiv in PostgreSQL wird mit pg_dump gesichert; daraus macht "
    "claimlog db rebuild seinen Lake neu",
    "claimlog index is at work on this archive: stop it, and start it again afterwards": ""
    "claimlog index arbeitet an diesem Archiv: Es muss angehalten und danach wieder gestartet "
    "werden",
    "a move is from a file to postgresql://… or back; claimlog db backup copies a file, and "
    "pg_dump a database": "umgezogen wird aus einer Datei nach postgresql://… oder zurück; eine "
    "Datei kopiert claimlog db backup, eine Datenbank pg_dump",
    "there is an archive at {path} already; a move makes a new one": "bei {path} gibt es schon "
    "ein Archiv; ein Umzug macht ein neues",
    "an archive was being moved to {path}: repeat claimlog db move, which begins anew": "ein "
    "Archiv war im Umzug nach {path}: claimlog db move noch einmal ausführen, es beginnt von vorn",
    "another claimlog db move is at work there": "dort arbeitet schon ein claimlog db move",
    "{path} is in use by another process: end that first": "{path} wird von einem anderen "
    "Prozess benutzt: Der muss zuerst beendet werden",
    "the lake has not everything yet that PostgreSQL has: run claimlog index --once": "der Lake "
    "hat noch nicht alles, was PostgreSQL hat: claimlog index --once bringt es",
    "only an archive in PostgreSQL is indexed: --db postgresql://…": "nur ein Archiv in "
    "PostgreSQL wird indiziert: --db postgresql://…",
    "the lake of {path} is {place}, not {other}": "der Lake von {path} ist {place}, nicht {other}",
    "the lake of {path} is of another version: {why}": "der Lake von {path} hat eine andere "
    "Version: {why}",
    "the lake of {path} cannot be opened: {why}": "der Lake von {path} kann nicht geöffnet "
    "werden: {why}",
    "the lake of {path} does not answer: {why}": "der Lake von {path} antwortet nicht: {why}",
    "the lake of {path} cannot be tidied: {why}": "der Lake von {path} kann nicht aufgeräumt "
    "werden: {why}",
    "there is no room left in {path}: {why}": "in {path} ist kein Platz mehr: {why}",
    "this is no address of a PostgreSQL database: it is written "
    "postgresql://user@host:5432/database, and spaces, @, / and the like in a name or password as "
    "%20, %40, %2F; a password is better kept in a file (PGPASSFILE)": "das ist keine Adresse "
    "einer Datenbank von PostgreSQL: Sie lautet postgresql://user@host:5432/database, und "
    "Leerzeichen, @, / und Ähnliches in Namen und Passwort stehen als %20, %40, %2F; ein "
    "Passwort steht besser in einer Datei (PGPASSFILE)",
    "another claimlog index has taken over {path}": "ein anderes claimlog index hat {path} "
    "übernommen",
    "of {number} revisions the lake knows {known}: claimlog db rebuild makes it again": "von "
    "{number} Fassungen kennt der Lake {known}: claimlog db rebuild macht ihn neu",
    "its mark was never given": "seine Marke wurde nie vergeben",
    "link {number} is missing": "Glied {number} fehlt",
    "link {number}, of {when}, was changed": "Glied {number}, vom {when}, wurde geändert",
    "the head {head} that was noted is not in it": "das notierte Ende {head} kommt nicht darin vor",
    "revision {number} was changed: it does not have its checksum": "Fassung {number} wurde "
    "geändert: sie hat nicht ihre Prüfsumme",
    "revisions in link {link} of the chain, of {when}: {there}, not {number}": "Fassungen in "
    "Glied {link} der Kette, vom {when}: {there}, nicht {number}",
    "a revision in link {link} of the chain, of {when}, was replaced": "eine Fassung in Glied "
    "{link} der Kette, vom {when}, wurde ausgetauscht",
    "what was decided on {when} is not in the chain: it was changed or added": "was am {when} "
    "entschieden wurde, ist nicht in der Kette: es wurde geändert oder kam hinzu",
    "what was decided on {when}, link {link} of the chain, is missing or was changed": "was am "
    "{when} entschieden wurde, Glied {link} der Kette, fehlt oder wurde geändert",
    "revisions that are in no link of it: {number}": "Fassungen, die in keinem ihrer Glieder "
    "sind: {number}",
    "the head of a chain is a number, a hyphen and 32 digits from 0 to f, as claimlog db check "
    "prints it": "das Ende einer Kette ist eine Zahl, ein Bindestrich und 32 Ziffern von 0 bis f, "
    "wie claimlog db check es ausgibt",
    "it is not what the last revision says": "es ist nicht, was die letzte Fassung sagt",
    "the digest of a revision is missing": "der Digest einer Fassung fehlt",
    # Workers of a cluster
    "a cluster of workers needs more packages: pip install 'claimlog[cluster]'": "ein Cluster von "
    "Arbeitern braucht weitere Pakete: pip install 'claimlog[cluster]'",
    "{address} is no scheduler's address; it is written tcp://127.0.0.1:8786": "{address} ist "
    "keine Adresse eines Schedulers; sie lautet wie tcp://127.0.0.1:8786",
    "the cluster at {address} cannot be reached: {why}": "der Cluster bei {address} ist nicht zu "
    "erreichen: {why}",
    "the cluster at {address} has no workers": "der Cluster bei {address} hat keine Arbeiter",
    "the workers at {address} cannot run claimlog {version}: {why}": "die Arbeiter bei {address} "
    "können claimlog {version} nicht ausführen: {why}",
    "the workers at {address} have claimlog {version}, this is {other}": "die Arbeiter bei "
    "{address} haben claimlog {version}, dies ist {other}",
    "too many workers at {address} have died of the same task": "zu viele Arbeiter bei {address} "
    "sind an derselben Aufgabe gestorben",
    "the cluster at {address} does not answer any more": "der Cluster bei {address} antwortet "
    "nicht mehr",
    "the workers of the cluster do not see it": "die Arbeiter des Clusters sehen sie nicht",
    # Files in S3
    "there is no such bucket": "diesen Bucket gibt es nicht",
    "it has changed while it was read": "sie hat sich geändert, während sie gelesen wurde",
    "files in S3 need more packages: pip install 'claimlog[s3]'": "Dateien in S3 brauchen "
    "weitere Pakete: pip install 'claimlog[s3]'",
    "there are no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY": "für S3 "
    "fehlen die Zugangsdaten: AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY",
    "{server} is no address of an S3 server": "{server} ist keine Adresse eines Servers für S3",
    "no answer from S3 at {server}": "keine Antwort von S3 bei {server}",
    "refused by S3: {message}": "von S3 abgelehnt: {message}",
    "not answered by S3: {message}": "von S3 nicht beantwortet: {message}",
    # Games
    "there is no game {id}": "eine Partie {id} gibt es nicht",
    "there is no player {name}": "einen Spieler {name} gibt es nicht",
    "there is no event {name}": "ein Turnier {name} gibt es nicht",
    "the ids of {number} games begin with {id}: give more of it": "die Kennungen von {number} "
    "Partien beginnen mit {id}: Es braucht mehr davon",
    "{number} players may be meant by {name}: give an id, or more of the name": "mit {name} können "
    "{number} Spieler gemeint sein: Es braucht eine Kennung oder mehr vom Namen",
    "{number} events may be meant by {name}: give an id, or more of the name": "mit {name} können "
    "{number} Turniere gemeint sein: Es braucht eine Kennung oder mehr vom Namen",
    "game {id} has been deleted": "Partie {id} ist gelöscht",
    "game {id} has been deleted already": "Partie {id} ist schon gelöscht",
    "game {id} has not been deleted": "Partie {id} ist nicht gelöscht",
    "game {id} has no revision {number}": "Partie {id} hat keine Fassung {number}",
    "game {id} is not legal any more": "Partie {id} ist nicht mehr gültig",
    "the game's revision is {number}, not {expected}": "die Partie hat die Fassung {number}, nicht "
    "{expected}",
    "one game is expected here, not {number}": "hier muss genau eine Partie stehen, nicht {number}",
    "this record is that of game {id}": "diese Aufzeichnung ist die der Partie {id}",
    "game {id} seems to be the same game; it has the same {common}": "Partie {id} ist anscheinend "
    "dieselbe; gemeinsam: {common}",
    # Players and events
    "these are the same player": "das ist derselbe Spieler",
    "they met in game {id}, and nobody plays against themselves": "sie haben in Partie {id} "
    "zusammen am Tisch gesessen, und niemand spielt gegen sich selbst",
    "player {name} has been merged already": "Spieler {name} ist schon zusammengelegt",
    "a player cannot be merged into itself": "ein Spieler kann nicht mit sich selbst "
    "zusammengelegt werden",
    "player {name} is not merged into another": "Spieler {name} ist mit keinem anderen "
    "zusammengelegt",
    "player {name} is not merged into {other}": "Spieler {name} ist nicht mit {other} "
    "zusammengelegt",
    "event {name} has no games any more": "das Turnier {name} hat keine Partien mehr",
    "the event has no round {round}: its rounds are {rounds}": "das Turnier hat keine Runde "
    "{round}, nur {rounds}",
    "the event has no round {round}: its games have no round": "das Turnier hat keine Runde "
    "{round}: Bei seinen Partien steht keine",
    "tie-breaks are some of {names}, each once": "Feinwertungen sind {names}, jede einmal",
    # Directing an event
    "event {name} is directed here already": "das Turnier {name} wird hier schon geleitet",
    "event {name} is not directed here: claimlog event create begins that": "das Turnier {name} "
    "wird hier nicht geleitet: damit beginnt claimlog event create",
    "there is an event {name} already": "ein Turnier {name} gibt es schon",
    "somebody else was at the desk: the last act is {last}, not {number}": "inzwischen hat jemand "
    "anders etwas getan: die letzte Handlung ist {last}, nicht {number}",
    "a round is paired: the number of seats stays as it is": "eine Runde ist gepaart: die Zahl der "
    "Plätze bleibt, wie sie ist",
    "the numbers of new entrants go on with {number}": "neue Teilnehmer haben Nummern ab {number}",
    "{name} has withdrawn already": "{name} ist schon ausgeschieden",
    "{name} has not withdrawn": "{name} ist nicht ausgeschieden",
    "no game can be played by this plan: {why}": "nach diesem Plan kann nicht gespielt werden: "
    "{why}",
    "table {table} has no seat {seat}": "Tisch {table} hat keinen Platz {seat}",
    "there is nothing to undo": "es gibt nichts zurückzunehmen",
    "only the last act can be undone: {last}, not {number}": "nur die letzte Handlung kann "
    "zurückgenommen werden: {last}, nicht {number}",
    "an entrant has a name": "ein Teilnehmer hat einen Namen",
    "{name} is entered already": "{name} ist schon angemeldet",
    "round {number} has begun": "Runde {number} hat begonnen",
    "round {number} has not begun": "Runde {number} hat nicht begonnen",
    "round {number} is paired before round {other}": "Runde {number} wird vor Runde {other} "
    "gepaart",
    "round {number} is paired already": "Runde {number} ist schon gepaart",
    "round {number} is not paired": "Runde {number} ist nicht gepaart",
    "round {number} has no tables": "Runde {number} hat keine Tische",
    "round {number} has no table {table}": "Runde {number} hat keinen Tisch {table}",
    "round {number} is not being played": "Runde {number} läuft nicht",
    "round {number} is not closed": "Runde {number} ist nicht geschlossen",
    "round {number} is closed": "Runde {number} ist geschlossen",
    "round {number} has games without a result, at tables {tables}": "in Runde {number} fehlen "
    "Ergebnisse, an den Tischen {tables}",
    "the event has {number} rounds": "das Turnier hat {number} Runden",
    "{name} is in round {number} twice": "{name} kommt in Runde {number} zweimal vor",
    "{name} is not in round {number}": "{name} kommt in Runde {number} nicht vor",
    "{name} does not play in round {number}": "{name} spielt in Runde {number} nicht",
    "{name} does not play in round {number}, and sits at table {table}: pair the round again": ""
    "{name} spielt in Runde {number} nicht und sitzt an Tisch {table}: die Runde neu paaren",
    "there are two tables {table}": "es gibt zwei Tische {table}",
    "table {table} has {number} players: 2 to 4 play a game": "Tisch {table} hat {number} Spieler: "
    "eine Partie spielen 2 bis 4",
    "table {table} has another result than the one confirmed": "Tisch {table} hat ein anderes "
    "Ergebnis als das bestätigte",
    "table {table} has {number} sides": "Tisch {table} hat {number} Seiten",
    "table {table} is locked": "Tisch {table} ist gesperrt",
    "table {table} has a result": "Tisch {table} hat ein Ergebnis",
    "they are in the same place": "beide sind am selben Platz",
    "the result of table {table} is confirmed: only the director changes it": "das Ergebnis von "
    "Tisch {table} ist bestätigt: ändern kann es nur die Turnierleitung",
    "{result} is no result of a game with {number} sides": "{result} ist kein Ergebnis einer "
    "Partie mit {number} Seiten",
    "there is no entrant {name}": "einen Teilnehmer {name} gibt es nicht",
    "{number} entrants may be meant by {name}: give the number, or more of the name": "mit {name} "
    "können {number} Teilnehmer gemeint sein: die Nummer angeben, oder mehr vom Namen",
    # Results as they are typed
    "a line begins with the number of a table, as in 7 1-0": "eine Zeile beginnt mit der Nummer "
    "eines Tisches, wie in 7 1-0",
    "table {table} has no result: it is written as in {example} 1-0": "Tisch {table} hat kein "
    "Ergebnis: geschrieben wird es wie in {example} 1-0",
    "table {table}: {words} is too much": "Tisch {table}: {words} ist zu viel",
    "table {table}: {word} are no factions, as 3-2 are": "Tisch {table}: {word} sind keine "
    "Fraktionen, wie 3-2",
    "table {table}: forfeit is followed by the number of the absent side": "Tisch {table}: nach "
    "kampflos steht die Nummer der Seite, die nicht da ist",
    "table {table}: {word} is no result, as 1-0, 0-1 and ½-½ are": "Tisch {table}: {word} ist kein "
    "Ergebnis, wie 1-0, 0-1 und ½-½",
    "table {table}: of {number} sides all but one are absent or none is": "Tisch {table}: kampflos "
    "fehlt von {number} Seiten alle bis auf eine oder alle",
    # Questions
    "events are sorted by {names}": "Turniere werden geordnet nach {names}",
    "games are sorted by {names}": "Partien werden geordnet nach {names}",
    "players are sorted by {names}": "Spieler werden geordnet nach {names}",
    "results are grouped by {names}": "Ergebnisse werden gruppiert nach {names}",
    "the cursor is that of a list sorted differently": "die Stelle (cursor) gehört zu einer "
    "anders geordneten Liste",
    "this is no cursor of such a list": "das ist keine Stelle (cursor) einer solchen Liste",
    "a limit is from 1 to {most}": "eine Grenze (limit) liegt von 1 bis {most}",
    "at most {most} examples": "höchstens {most} Beispiele",
    "at most {most} cards can be asked for at once": "nach höchstens {most} Karten kann zugleich "
    "gefragt werden",
    "at most {most} words can be asked for at once": "nach höchstens {most} Wörtern kann zugleich "
    "gefragt werden",
    "nobody is left to play after four cards": "nach vier Karten ist niemand mehr an der Reihe",
    "tricks are 1 to 26": "Stiche gibt es von 1 bis 26",
    "a phase is 1 or 2": "eine Phase ist 1 oder 2",
    "Claim has 2, 3 or 4 seats": "Claim hat 2, 3 oder 4 Sitze",
    "a seat is 1, 2, 3 or 4": "ein Sitz ist 1, 2, 3 oder 4",
    "the leader is a seat: 1, 2, 3 or 4": "es spielt ein Sitz an: 1, 2, 3 oder 4",
    "outcome is won, lost or shared": "outcome ist won, lost oder shared",
    "{field} is about a player: give player too": "{field} gilt einem Spieler: Es braucht auch "
    "player",
    "an export is clm, ndjson, csv or parquet": "ein Export ist clm, ndjson, csv oder parquet",
    "an export has a row for each of the {names}": "ein Export hat Zeilen für {names}",
    "a digest is 64 hexadecimal digits": "eine Prüfsumme hat 64 Hexadezimalziffern",
    "rules are {names}": "Regeln sind {names}",
    "terminations are {names}": "eine Partie endet mit {names}",
    "votes are written 3-2 (by side) or 3:2 (in any order)": "Stimmen schreibt man 3-2 (nach "
    "Seiten) oder 3:2 (in beliebiger Reihenfolge)",
    "{text} is no date: YYYY, YYYY-MM or YYYY-MM-DD": "{text} ist kein Datum: JJJJ, JJJJ-MM oder "
    "JJJJ-MM-TT",
    "{text} is no result of a game": "{text} ist kein Ergebnis einer Partie",
    "{text} is no ruling, as trolls=line is": "{text} ist keine Regelauslegung, wie es trolls=line "
    "ist",
    "{text} is no card, as K5 is, and no faction, as K is": "{text} ist keine Karte wie K5 und "
    "keine Fraktion wie K",
    "{text} is no card, as K5, K or K5@3 is": "{text} ist keine Karte wie K5, K oder K5@3",
    "{letter} is not a faction": "{letter} ist keine Fraktion",
    "{letter} is listed twice": "{letter} steht zweimal da",
    "this cannot be asked: {why}": "das kann nicht gefragt werden: {why}",
    # Servers
    "{url} is no server's address; it is written http://127.0.0.1:8000": "{url} ist keine Adresse "
    "eines Servers; man schreibt sie http://127.0.0.1:8000",
    "{url} cannot be asked for this ({what}): it needs the archive's file, while no server has it "
    "open": "{url} kann danach nicht gefragt werden ({what}): Es braucht die Datei des Archivs, "
    "während kein Server sie geöffnet hat",
    "{url} exports games, not {rows}: that needs the file": "{url} exportiert Partien, nicht "
    "{rows}: Dazu braucht es die Datei",
    "{url} tells no merges that were undone: that needs the file": "{url} zeigt keine "
    "zurückgenommenen Zusammenlegungen: Dazu braucht es die Datei",
    "{url} answers like no claimlog server: {why}": "{url} antwortet nicht wie ein Server von "
    "claimlog: {why}",
    "{url} broke off: {why}": "{url} hat abgebrochen: {why}",
    "writing without a token is for this machine alone": "ohne Token schreibt man nur von diesem "
    "Rechner aus",
    "The request cannot be understood": "Die Anfrage ist nicht zu verstehen",
    "An argument cannot be understood": "Ein Argument ist nicht zu verstehen",
    "Several may be meant": "Mehrere können gemeint sein",
    "A token is needed": "Es braucht ein Token",
    "The token does not allow this": "Das Token erlaubt das nicht",
    "There is no such thing here": "So etwas gibt es hier nicht",
    "Method not allowed": "So kann hier nicht gefragt werden",
    "Not Found": "nicht gefunden",
    "None of the media types asked for can be made": "In keinem der gewünschten Formate ist das zu "
    "haben",
    "The request took too long to arrive": "Die Anfrage kam zu langsam an",
    "It contradicts what is there": "Es widerspricht dem, was da ist",
    "It seems to be a stored game, and differs from it": "Es ist anscheinend eine gespeicherte "
    "Partie und weicht von ihr ab",
    "The game has been deleted": "Die Partie ist gelöscht",
    "The game has changed meanwhile": "Die Partie hat sich inzwischen geändert",
    "The request is too large": "Die Anfrage ist zu groß",
    "The request's media type is not understood": "Das Format der Anfrage ist unbekannt",
    "The record is not one legal game": "Die Aufzeichnung ist nicht eine gültige Partie",
    "Say which revision is meant": "Es braucht die gemeinte Fassung",
    "Too many requests": "Zu viele Anfragen",
    "The request's head is too large": "Der Kopf der Anfrage ist zu groß",
    "The server failed": "Der Server hat versagt",
    "The server cannot answer now": "Der Server kann jetzt nicht antworten",
    "The archive cannot be written": "Das Archiv kann nicht geschrieben werden",
    "There is no room left": "Es ist kein Platz mehr",
    "this needs a token with the scope {scope}": "das braucht ein Token mit der Berechtigung "
    "{scope}",
    "to replace games needs a token with the scope direct": "Partien zu ersetzen braucht ein Token "
    "mit der Berechtigung direct",
    "the token is unknown, has expired or has been revoked": "das Token ist unbekannt, abgelaufen "
    "oder widerrufen",
    "the tokens cannot be read": "die Token können nicht gelesen werden",
    "this server stores and changes nothing": "dieser Server speichert und ändert nichts",
    "there is no room left on the server's disk": "auf dem Datenträger des Servers ist kein Platz "
    "mehr",
    "there is no room for the answer": "für die Antwort ist kein Platz",
    "the server is stopping": "der Server wird gerade beendet",
    "the server's log says why": "warum, steht im Log des Servers",
    "the request id finds the reason in the server's log": "warum, steht im Log des Servers",
    "this seems to be game {id}, with the same {common}, and differs from it: ?doubtful=replace "
    "makes it a revision of that game, ?doubtful=beside a game of its own": "das ist anscheinend "
    "Partie {id} (gemeinsam: {common}), weicht aber von ihr ab: ?doubtful=replace macht daraus "
    "eine Fassung dieser Partie, ?doubtful=beside eine eigene",
    "this game is {id}, which has been deleted; POST {path} brings it back": "das ist Partie {id}, "
    "die gelöscht wurde; POST {path} holt sie zurück",
    "this is game {id}": "das ist Partie {id}",
    "this revision is the trace of a deletion": "diese Fassung ist nur die Spur einer Löschung",
    "there are {number} seats": "es gibt {number} Sitze",
    "there are {number} tricks": "es gibt {number} Stiche",
    "t is a trick, and after a dot how many of its plays: 17 or 17.2": "t ist ein Stich, und "
    "hinter einem Punkt, wie viele seiner Karten: 17 oder 17.2",
    "this server draws no pictures: it wants pip install 'claimlog[pictures]'": "dieser Server "
    "zeichnet keine Bilder: dafür braucht er pip install 'claimlog[pictures]'",
    "there is no argument {name} here, but {there}": "ein Argument {name} gibt es hier nicht, nur "
    "{there}",
    "{name} is one of {names}": "{name} ist eines von {names}",
    "{name} may stand once only": "{name} darf nur einmal stehen",
    "more than {number} characters": "mehr als {number} Zeichen",
    "more than {number} combining marks in a row": "mehr als {number} kombinierende Zeichen "
    "hintereinander",
    "{name} holds a null character": "{name} enthält ein Nullzeichen",
    "the body has more than {limit} bytes": "die Daten haben mehr als {limit} Bytes",
    "the body stalled or took too long": "die Daten kamen nicht oder zu langsam an",
    "no answer was found within {seconds} s": "in {seconds} s war keine Antwort zu finden",
    "{rate} requests a second are allowed; wait {seconds} s": "{rate} Anfragen in der Sekunde sind "
    "erlaubt; noch {seconds} s warten",
    "{number} of your requests are being answered, and more may not": "{number} Anfragen von hier "
    "werden gerade beantwortet, mehr dürfen es nicht sein",
    "too many requests at once": "zu viele Anfragen zugleich",
    "{number} of your exports are going on, and more may not": "{number} Exporte für hier laufen "
    "schon, mehr dürfen es nicht sein",
    "{number} exports are going on, and more may not": "{number} Exporte laufen schon, mehr dürfen "
    "es nicht sein",
    "{number} imports and exports are going on, and more may not": "{number} Importe und Exporte "
    "laufen schon, mehr dürfen es nicht sein",
    # Archives that were checked
    "revision {number}: {message}": "Fassung {number}: {message}",
    "revision {number} does not have its digest": "Fassung {number} hat nicht ihre Prüfsumme",
    "revision {number} is neither a record nor a deletion": "Fassung {number} ist weder eine "
    "Aufzeichnung noch eine Löschung",
    "the record is not legal: {why}": "die Aufzeichnung ist nicht gültig: {why}",
    "the record is not in canonical form": "die Aufzeichnung ist nicht in kanonischer Form",
    "the record is not one game": "die Aufzeichnung ist nicht genau eine Partie",
    "a row is not what the record says": "eine Zeile ist nicht, was die Aufzeichnung sagt",
    "a row is not what the records say": "eine Zeile ist nicht, was die Aufzeichnungen sagen",
    "a row that the record asks for is missing": "eine Zeile fehlt, die zur Aufzeichnung gehört",
    "a row that the records ask for is missing": "eine Zeile fehlt, die zu den Aufzeichnungen "
    "gehört",
    "the table is missing": "die Tabelle fehlt",
    "the view is missing": "die Sicht (view) fehlt",
    "the macro is missing": "das Makro fehlt",
    "the table is not made as it should be": "die Tabelle ist nicht so angelegt, wie sie sollte",
    "the view is not made as it should be": "die Sicht (view) ist nicht so angelegt, wie sie "
    "sollte",
    "the macro is not made as it should be": "das Makro ist nicht so angelegt, wie es sollte",
    "the list is not what this claimlog writes": "die Liste ist nicht die, die dieses claimlog "
    "schreibt",
    "a game stands in one table and not in the other": "eine Partie steht in der einen Tabelle und "
    "nicht in der anderen",
    "a game stands there more than once": "eine Partie steht mehrmals da",
    "a player is missing": "ein Spieler fehlt",
    "a player stands there more than once": "ein Spieler steht mehrmals da",
    "an event is missing": "ein Turnier fehlt",
    "an event stands there more than once": "ein Turnier steht mehrmals da",
    "the counts are not those of the deck": "die gezählten Fraktionen sind nicht die der Partie",
    "line {number} {what}": "Zeile {number} {what}",
    "the last line {what}": "die letzte Zeile {what}",
    "has no checksum": "hat keine Prüfsumme",
    "is not what was written": "ist nicht, was geschrieben wurde",
    "is line {number}: others are missing": "ist Zeile {number}: andere fehlen",
    "is no JSON": "ist kein JSON",
    "is no object": "ist kein Objekt",
    "has fields that nobody writes": "hat Felder, die niemand schreibt",
    "has lost its end": "hat ihr Ende verloren",
    "the revisions are not numbered from 1 on": "die Fassungen sind nicht von 1 an gezählt",
    "the tricks are not as many as the game has": "es sind nicht so viele Stiche, wie die Partie "
    "hat",
    "there are counts without a game": "es gibt gezählte Fraktionen ohne Partie",
    "there are tricks without a game": "es gibt Stiche ohne Partie",
    "two games have the same record": "zwei Partien haben dieselbe Aufzeichnung",
    # Tokens
    "there is no token {id}": "ein Token {id} gibt es nicht",
    "a token needs the name of whose it is": "zu einem Token gehört der Name dessen, der es hat",
    "another process is changing {path}": "ein anderer Prozess ändert gerade {path}",
    "{path} cannot be locked: {why}": "{path} kann nicht gesperrt werden: {why}",
    # Games that are played
    "Claim has 2 to 4 players, not {number}": "Claim hat 2 bis 4 Spieler, nicht {number}",
    "no such policy: {name} (there are {names})": "eine Spielweise {name} gibt es nicht, nur "
    "{names}",
    "{number} seats need as many policies, not {given}": "{number} Sitze brauchen ebenso viele "
    "Spielweisen, nicht {given}",
    # Renamed events, corrections of many games, questions about players
    "a player's name is not empty": "der Name eines Spielers ist nicht leer",
    "the order {sort} is none of {keys}": "die Reihenfolge {sort} ist keine von {keys}",
    "{tag} is none of the tags {tags}": "{tag} ist keines der Tags {tags}",
    "{field}: letters of factions are wanted": "{field}: Gebraucht werden Buchstaben von "
    "Fraktionen",
    "an event cannot be merged into itself": "ein Turnier kann nicht mit sich selbst "
    "zusammengelegt werden",
    "an event has a name": "ein Turnier hat einen Namen",
    "event {id} has been merged already": "Turnier {id} ist schon zusammengelegt",
    "event {id} has this name: merge them if they are one": "Turnier {id} heißt schon so: Sind die "
    "beiden eines, so können sie zusammengelegt werden",
    "event {alias} is not merged into {event}": "Turnier {alias} ist nicht mit {event} "
    "zusammengelegt",
    "event {alias} is not merged into another": "Turnier {alias} ist mit keinem anderen "
    "zusammengelegt",
    "groups are sorted by {columns}": "Gruppen werden sortiert nach {columns}",
    "points are those of anybody or of player": "die Punkte sind die von anybody oder von player",
    "say which tags or names are other ones": "es fehlt, welche Tags oder Namen anders sind",
    "some of the games were changed meanwhile": "einige der Partien wurden inzwischen geändert",
    "the games or the changes are not those of the dry run any more": "die Partien oder Änderungen "
    "sind nicht mehr die des Probelaufs",
    "these are more than {most} games: choose fewer": "das sind mehr als {most} Partien: bitte "
    "weniger wählen",
    "warnings are {codes}": "Warnungen sind {codes}",
    "what is counted is by anybody or by player": "gezählt wird für anybody oder für player",
    "what the player did is asked for: give player too": "gefragt ist, was der Spieler tat: player "
    "muss angegeben werden",
    # The system
    "no such file or directory": "Datei oder Ordner nicht gefunden",
    "permission denied": "keine Berechtigung",
    "is a directory": "ist ein Ordner",
    "not a directory": "kein Ordner",
    "file exists": "gibt es schon",
    "no space left on device": "kein Platz mehr auf dem Datenträger",
    "read-only file system": "der Datenträger kann nicht beschrieben werden",
    "connection refused": "dort antwortet niemand",
    "connection reset by peer": "die Verbindung wurde abgebrochen",
    "name or service not known": "den Namen kennt niemand",
    "no route to host": "dorthin gibt es keinen Weg",
    "network is unreachable": "das Netz ist nicht erreichbar",
    "timed out": "keine Antwort in der Zeit",
}
"""Wo mehrere passen, gilt der Wortlaut mit dem meisten festen Text."""
