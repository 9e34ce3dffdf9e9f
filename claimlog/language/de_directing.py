"""The German texts of the commands for directing, by the English texts."""

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "      {name} has a bye": "      {name} hat ein Freilos",
    "7 1-0, or 8 ½-½ 2-2 with factions, or 9 forfeit 2; separate several with commas; without "
    "any, one per line from standard input.": "7 1-0, oder mit Fraktionen 8 ½-½ 2-2, "
    "oder 9 kampflos 2; mehrere durch Kommas getrennt; ohne Angabe je eine Zeile aus der "
    "Standardeingabe.",
    "Show everything done at the desk.": "Alles, was die Turnierleitung getan hat.",
    "Change confirmed results and those of closed rounds, too, as the director.": "Als "
    "Turnierleitung auch bestätigte Ergebnisse und solche geschlossener Runden ändern.",
    "Start directing an event: set how it is played, and open its desk.": "Die Leitung eines "
    "Turniers beginnen: festlegen, wie gespielt wird.",
    "Besides 7 1-0 you can write 7 1 (side 1 wins), 7 = (shared), 9 forfeit (nobody came) and 7 "
    "- (takes the result back). A wrong line is reported, and the others are entered.": "Außer 7 "
    "1-0 geht auch 7 1 (Seite 1 gewinnt), 7 = (geteilt), 9 kampflos (niemand war da) und 7 - "
    "(nimmt das Ergebnis zurück). Eine falsche Zeile wird gemeldet, die anderen werden "
    "eingetragen.",
    "line {line} is not UTF-8; read as Windows-1252": "Zeile {line} ist kein UTF-8; als "
    "Windows-1252 gelesen",
    "line {line} is not UTF-8: save the list as UTF-8": "Zeile {line} ist kein UTF-8: Die Liste "
    "bitte als UTF-8 speichern",
    "{text} is not UTF-8: the terminal or the script has another encoding": "{text} ist kein "
    "UTF-8: Terminal oder Skript haben eine andere Kodierung",
    "Close a round.": "Eine Runde schließen.",
    "Confirm results; once all sides have, only the director can change them.": ""
    "Ergebnisse bestätigen; haben das alle Seiten getan, ändert sie nur noch die Turnierleitung.",
    "Enter players, including late ones.": "Teilnehmer anmelden, auch verspätete.",
    "Enter results, one line per table.": "Ergebnisse eintragen, eine Zeile je Tisch.",
    "Have games without a result played later.": "Partien ohne Ergebnis später spielen lassen.",
    "The number of rounds.": "Die Zahl der Runden.",
    "The rules: LE2023 or Classic.": "Die Regeln: LE2023 oder Classic.",
    "Let an entrant sit out a round.": "Einen Teilnehmer in einer Runde aussetzen lassen.",
    "Withdraw an entrant.": "Einen Teilnehmer ausscheiden lassen.",
    "Add a table to a round, also while it is played: for a bye, or somebody late.": "Einen Tisch "
    "zu einer Runde hinzufügen, auch während sie läuft: für ein Freilos oder jemanden, der zu "
    "spät kommt.",
    "Who sits there, by numbers or names.": "Wer dort sitzt, mit Nummern oder Namen.",
    "another table: for the bye and somebody late": "ein weiterer Tisch: für das Freilos und "
    "jemanden, der zu spät kommt",
    "Exchange two entrants in a round; one may have the bye, or be in no pairing yet.": "Zwei "
    "Teilnehmer in einer Runde tauschen; einer darf das Freilos haben oder noch nicht gepaart "
    "sein.",
    "The side that confirms; by default all.": "Die Seite, die bestätigt; ohne Angabe alle.",
    "Reopen a closed round.": "Eine geschlossene Runde wieder öffnen.",
    "Pair the next round, or re-pair the one that has not begun.": "Die nächste Runde paaren, "
    "oder die noch nicht begonnene neu paaren.",
    "The number of players at a table.": "Die Zahl der Spieler an einem Tisch.",
    "Other points, for example win=3,draw=1,bye=2,half_bye=1.": "Andere Punkte, zum "
    "Beispiel win=3,draw=1,bye=2,half_bye=1.",
    "Show a round of a directed event: who plays whom, the results, what is missing.": "Eine "
    "Runde eines geleiteten Turniers zeigen: wer gegen wen spielt, die Ergebnisse, was fehlt.",
    "Start a round; a server opens its tables for recording and shows their links.": ""
    "Eine Runde beginnen; ein Server öffnet ihre Tische zum Aufzeichnen und zeigt deren "
    "Links.",
    "Tables by hand, for example 1-2 3-4 5: the numbers of the entrants by seat; a number alone "
    "has the bye; - reads a list of pairings from standard input.": "Tische von Hand, zum "
    "Beispiel 1-2 3-4 5: die Nummern der Teilnehmer nach Sitzen; eine Nummer allein hat das "
    "Freilos; - liest eine Liste von Paarungen aus der Standardeingabe.",
    "What to allow for this round: rematch, bye, "
    "leader or tie.": "Für diese Runde erlauben: rematch (nochmals "
    "gegeneinander), bye (zweites Freilos), "
    "leader (dreimal nacheinander beginnen), tie "
    "(geteilter Sieg im K.-o.-System).",
    "The entrant's number or name.": "Nummer oder Name des Teilnehmers.",
    "The event's name or id; by default all directed events.": "Name oder Kennung des Turniers; "
    "ohne Angabe alle geleiteten.",
    "The first round without them; by default the next.": ""
    "Die erste Runde ohne sie; sonst die nächste.",
    "The letters of the deck, or of the deck of each round in turn; the last is also that of all "
    "later rounds.": "Die Buchstaben des Decks, oder des Decks jeder Runde der Reihe nach; das "
    "letzte gilt auch für alle späteren Runden.",
    "The names; without any, a list from standard input: names, CSV with a heading, or TRF16.": ""
    "Die Namen; ohne Angabe eine Liste aus der Standardeingabe: Namen, CSV mit Überschriften oder "
    "TRF16.",
    "The tie-breaks in order, separated by commas.": "Die Feinwertungen der Reihe nach, durch "
    "Kommas getrennt.",
    "The round; by default the next.": "Die Runde; sonst die nächste.",
    "The round; by default the one paired last.": "Die Runde; sonst die zuletzt gepaarte.",
    "The round; by default the one being played.": "Die Runde; sonst die, die gespielt wird.",
    "The round; by default the last one that has begun.": "Die Runde; sonst die letzte, die "
    "begonnen hat.",
    "The tables.": "Die Tische.",
    "The minutes for each round.": "Die Zeit einer Runde in Minuten.",
    "Let them play again.": "Wieder mitspielen lassen.",
    "Keep a table as it is when the round is paired again.": "Einen Tisch unverändert lassen, "
    "wenn die Runde neu gepaart wird.",
    "The table.": "Der Tisch.",
    "Unlock the table.": "Den Tisch lösen.",
    "table {table} is unlocked": "Tisch {table} ist gelöst",
    "table {table} is locked": "Tisch {table} ist festgehalten",
    "Start the clock.": "Die Uhr starten.",
    "Stop the clock.": "Die Uhr anhalten.",
    "Add minutes, or with a minus take some away.": "So viele Minuten mehr, mit einem Minus "
    "weniger.",
    "Control the clock of the round on all screens; without an option, only show it.": "Die Uhr "
    "der Runde auf allen Bildschirmen stellen; ohne Option wird sie nur gezeigt.",
    "--start and --stop cannot be combined": "--start und --stop schließen sich aus",
    "there is no clock": "es läuft keine Uhr",
    "{time}, stopped": "{time}, angehalten",
    "The name in the records.": "Der Name in den Partieprotokollen.",
    "Count games recorded under another name as the entrant's.": "Partien unter einem anderen "
    "Namen für den Teilnehmer zählen.",
    "{name} is {entrant}": "{name} ist {entrant}",
    "The message; without it the current one is removed.": "Die Nachricht; ohne Text wird die "
    "bisherige entfernt.",
    "Show a message on all screens of the event until the next round.": "Eine Nachricht auf "
    "allen Bildschirmen des Turniers zeigen, bis zur nächsten Runde.",
    "no message is shown": "es wird keine Nachricht gezeigt",
    "waiting longest: {names}": "am längsten warten: {names}",
    "game {game}: {name} is probably {entrant}: claimlog event spell": "Partie {game}: {name} ist "
    "wohl {entrant}: claimlog event spell",
    "Show games to spectators only once they are over.": "Zuschauern Partien erst nach deren Ende "
    "zeigen.",
    "Direct an event on a screen of its own: all tables live, and a line for commands.": "Ein "
    "Turnier auf einem eigenen Bildschirm leiten: alle Tische live, und eine Zeile für Befehle.",
    "? lists the commands. With --server it follows what phones record.": "? zeigt die Befehle. "
    "Mit --server zeigt der Bildschirm auch, was Handys mitschreiben.",
    "desk needs a terminal; claimlog event does the same with commands": "desk braucht ein "
    "Terminal; claimlog event tut dasselbe mit Befehlen",
    "pair the round": "die Runde paaren",
    "exchange two players, one with the bye, or one for somebody new": "zwei tauschen die Plätze, "
    "auch mit dem Freilos, oder jemand Neues springt ein",
    "keep a table when the round is paired again": "den Tisch lassen, wenn neu gepaart wird",
    "unlock it": "den Tisch wieder lösen",
    "start the round": "die Runde starten",
    "all sides confirm": "alle Seiten bestätigen",
    "the same in an earlier round; round 2 shows it": "dasselbe in einer früheren Runde; runde 2 "
    "zeigt sie",
    "close the round; later: play the rest later": ""
    "die Runde schließen; später: der Rest wird nachgespielt",
    "reopen the round": "die Runde wieder öffnen",
    "the clock of the round": "die Uhr der Runde",
    "show a message on all screens; without text remove it": "Nachricht auf allen Bildschirmen; "
    "ohne Text entfernen",
    "enter a player, even a late one": "jemanden anmelden, auch verspätet",
    "withdraw; back 5: plays again": "scheidet aus; wieder 5: spielt wieder",
    "sits out the next round": "setzt in der nächsten Runde aus",
    "the name in the game is the suggested entrant": "der Name in der Partie gehört zum "
    "vermuteten Teilnehmer",
    "undo the last step": "den letzten Schritt zurücknehmen",
    "what is shown": "was gezeigt wird",
    "quit; everything is saved": "beenden; alles bleibt gespeichert",
    "more: PgDn": "weiter: Bild ab",
    "round {round}": "Runde {round}",
    "7 1-0 result · pair · start · close · undo · ? all": ""
    "7 1-0 Ergebnis · paaren · start · schließen · zurück · ? alles",
    "a result; 7 - takes it back": "ein Ergebnis; 7 - nimmt es zurück",
    "the director's result, even over a confirmed one": "Ergebnis der Turnierleitung, auch gegen "
    "ein bestätigtes",
    "nobody is entered yet: enter Anna Keller": "noch ist niemand gemeldet: melden Anna Keller",
    "sits out round {round}": "setzt in Runde {round} aus",
    "⚠ a table with other names: {names}": "⚠ ein Tisch mit anderen Namen: {names}",
    "⚠ a game names {name}: is that {entrant}? same": ""
    "⚠ eine Partie nennt {name}: Ist das {entrant}? dieselben",
    "Let the plays stand that the scorer of a table's game left to the director.": "Stehen lassen, "
    "was in der Partie eines Tisches der Turnierleitung überlassen wurde.",
    "the game of table {table} stands as it was recorded": "die Partie von Tisch {table} steht so, "
    "wie sie aufgezeichnet ist",
    "left to the director: round {round}, table {table}, trick {trick}, {card} of {name}": ""
    "der Turnierleitung überlassen: Runde {round}, Tisch {table}, Stich {trick}, {card} von {name}",
    "what was left to the director stands": "was der Turnierleitung überlassen wurde, steht",
    "stands": "steht",
    "in doubt": "unklar",
    "asks the director": "fragt die Turnierleitung",
    "{ago} min": "{ago} min",
    "locked": "fest",
    "over, {result}": "zu Ende, {result}",
    "not begun": "noch nicht begonnen",
    "trick {number} of {total}": "Stich {number} von {total}",
    "{number} result missing": "{number} Ergebnis fehlt",
    "{number} results missing": "{number} Ergebnisse fehlen",
    "The number of tricks that spectators are behind.": "Die Zahl der Stiche, um die Zuschauer "
    "verzögert zusehen.",
    "Undo the last step at the desk; it stays in the history.": "Den letzten Schritt "
    "zurücknehmen; im Verlauf bleibt er sichtbar.",
    "What the bye is worth: full, half or zero; none takes it back.": "Was das Freilos zählt: "
    "full, half oder zero; none nimmt es zurück.",
    "The name of the event.": "Der Name des Turniers.",
    "The place where it is played.": "Der Ort, an dem gespielt wird.",
    "Show who takes part.": "Zeigen, wer teilnimmt.",
    "Export a directed event to standard output, for other programs.": ""
    "Ein geleitetes Turnier auf die Standardausgabe schreiben, für andere Programme.",
    "act": "Handlung",
    "all tables of round {round} have a result": "alle Tische der Runde {round} haben ein Ergebnis",
    "club": "Verein",
    "confirmed": "bestätigt",
    "forfeit": "kampflos",
    "games that belong to no table: {ids}": "Partien, die zu keinem Tisch gehören: {ids}",
    "json: everything; csv: the results; trf: TRF16, of two players.": "json: alles; csv: die "
    "Ergebnisse; trf: TRF16, bei zwei Spielern.",
    "number": "Nummer",
    "played later: {tables}": "später gespielt: {tables}",
    "round {round} is closed": "Runde {round} ist geschlossen",
    "round {round} is open again": "Runde {round} ist wieder offen",
    "source": "Quelle",
    "state": "Stand",
    "entry": "Meldung",
    "paired": "gepaart",
    "running": "läuft",
    "closed": "geschlossen",
    "created": "angelegt",
    "planned": "Plan geändert",
    "entered": "angemeldet",
    "spelled": "Schreibweise zugeordnet",
    "withdrew": "abgemeldet",
    "returned": "spielt wieder",
    "asked-for-bye": "Freilos",
    "exchanged": "getauscht",
    "seated": "gesetzt",
    "unlocked": "gelöst",
    "started": "gestartet",
    "clock": "Uhr",
    "reopened": "wieder geöffnet",
    "announced": "Durchsage",
    "undone": "zurückgenommen",
    "was {result}": "vorher {result}",
    "which counts as a win": "das zählt als Sieg",
    "which counts as half a win": "das zählt als halber Sieg",
    "which counts nothing": "das zählt nichts",
    "entrant": "Teilnehmer",
    "typed": "eingetragen",
    "director": "Turnierleitung",
    "record": "Aufzeichnung",
    "nobody in the standings has a category": "niemand in der Rangliste hat eine Kategorie",
    "seed": "Setzplatz",
    "{one} and {other} cannot be combined": "{one} und {other} schließen sich aus",
    "table {table} has no result yet": "Tisch {table} hat noch kein Ergebnis",
    "table {table}: score {scorer}, watch {watch}": ""
    "Tisch {table}: schreiben {scorer}, zuschauen {watch}",
    "the record differs": "die Aufzeichnung weicht ab",
    "there are no names": "es sind keine Namen da",
    "undone: {act}, by {name}": "zurückgenommen: {act}, von {name}",
    "until round {round}": "bis Runde {round}",
    "without a result: {tables}": "ohne Ergebnis: {tables}",
    "{event}, round {round}": "{event}, Runde {round}",
    "{name}: add entrants with claimlog event enter": "{name}: Teilnehmer anmelden mit "
    "claimlog event enter",
    "{name} does not play from round {round} on": "{name} spielt ab Runde {round} nicht mehr mit",
    "{name} leads": "{name} beginnt",
    "{name} sits out round {round}": "{name} setzt in Runde {round} aus",
    "{name} plays again": "{name} spielt wieder mit",
    "{name} plays in round {round}": "{name} spielt in Runde {round}",
    "{number} table has no result yet": "{number} Tisch hat noch kein Ergebnis",
    "{number} tables have no result yet": "{number} Tische haben noch kein Ergebnis",
    "{text} is not a table; write 1-2, or 5 for a bye": "{text} ist kein Tisch; man schreibt "
    "1-2, für ein Freilos 5",
    "The pairing system: swiss, casual, "
    "round-robin, knock-out, groups, rotation or "
    "by-hand; by default swiss.": "Das Paarungssystem: swiss, casual, "
    "round-robin, knock-out, groups, rotation "
    "oder by-hand; ohne Angabe swiss.",
    "Draw each round's deck.": "Das Deck jeder Runde auslosen.",
    "A ruling other than the default, as in a record: name=value.": "Eine Auslegung, die von der "
    "Vorgabe abweicht, wie in einer Aufzeichnung: Name=Wert.",
    "Keep partners together, or let them change.": "Partner zusammenlassen oder wechseln lassen.",
    "The number of groups.": "Die Zahl der Gruppen.",
    "The number of players of each group who advance.": "Die Zahl der Spieler jeder Gruppe, die "
    "weiterkommen.",
    "Change how an event is played from the next round on; without an option, show it.": "Ab der "
    "nächsten Runde ändern, wie ein Turnier gespielt wird; ohne Option wird es gezeigt.",
    "setting": "Einstellung",
    "yes": "ja",
    "system": "System",
    "players at a table": "Spieler am Tisch",
    "drawn": "ausgelost",
    "minutes": "Minuten",
    "tie-breaks": "Feinwertungen",
    "partners stay together": "Partner bleiben zusammen",
    "groups": "Gruppen",
    "spectators": "Zuschauer",
    "delay in tricks": "Verzug in Stichen",
    "{name} is a file, not a name: claimlog event enter EVENT < {name}": ""
    "{name} ist eine Datei, kein Name: claimlog event enter TURNIER < {name}",
    "The corrected name.": "Der richtige Name.",
    "The club.": "Der Verein.",
    "The team.": "Das Team.",
    "The category in which they may win a prize.": "Die Kategorie, in der es einen Preis gibt.",
    "The rating, for the first round.": "Die Wertungszahl, für die erste Runde.",
    "The place before the first round.": "Der Setzplatz vor der ersten Runde.",
    "Change an entrant's details: name, club, rating and so on.": "Angaben "
    "zu einem Teilnehmer ändern: Name, Verein, Wertungszahl und so weiter.",
    "nothing to change: give --name, --club or another option": "nichts zu ändern: --name, "
    "--club oder eine andere Option angeben",
    "Import an event of two-player games from TRF16, read from standard input.": ""
    "Ein Turnier zu zweit aus TRF16 übernehmen, gelesen von der Standardeingabe.",
    "Imports entrants, pairings and results; the event must exist and have no entrants.": ""
    "Übernommen werden Teilnehmer, Paarungen und Ergebnisse; das Turnier muss es schon geben, "
    "noch ohne Teilnehmer.",
    "{event}: {players} players; rounds: {rounds}": "{event}: {players} Spieler; Runden: {rounds}",
    "After this round; by default after all.": "Nach dieser Runde; sonst nach allen.",
    "category": "Kategorie",
    "in category": "in der Kategorie",
    "Show only this category, with the places in "
    "it.": "Nur diese Kategorie zeigen, mit den Plätzen darin.",
    "Show the places: overall, by category and by team; level entrants share a place.": "Die "
    "Plätze zeigen: insgesamt, nach Kategorie und nach Team; wer gleichauf liegt, teilt den "
    "Platz.",
    "level in all tie-breaks: {names}": "in allen Feinwertungen gleich: {names}",
    "Explain an entrant's place: what decided, and against whom.": "Einen Platz erklären: "
    "was entschieden hat, und gegen wen.",
    "Show new links to the open tables of a round; earlier links stay valid.": "Neue Links zu den "
    "offenen Tischen einer Runde zeigen; die früheren gelten weiter.",
    "another name, club, rating": "anderer Name, Verein, andere Wertungszahl",
    "show or change how the event is played": "zeigen oder ändern, wie gespielt wird",
    "links for scorers; for one table, as a code to scan": "Links für die Schreiber; für einen "
    "Tisch als Code zum Scannen",
    "type links for the scorers' links": "links zeigt die Links zum Aufschreiben",
    "to record": "zum Aufzeichnen",
    "is {name} {entrant}? same": "ist {name} {entrant}? dieselben",
    "pairings, standings, crosstable, sheets (to write a score on), cards (for the tables, A6), "
    "prizes (by category and team) or certificates.": ""
    "pairings (Paarungen), standings (Rangliste), crosstable (Kreuztabelle), sheets (Spielzettel), "
    "cards (Tischkarten, A6), prizes (Preise nach Kategorie und Team) oder certificates "
    "(Urkunden).",
    "With prizes and certificates: down to this rank.": ""
    "Mit prizes und certificates: bis zu diesem Rang.",
    "uncertainty": "Unsicherheit",
    "lower bound": "untere Grenze",
    "Ratings": "Wertungszahlen",
    "The ratings of players from all games with a result, sorted by the lower bound.": "Wie stark "
    "Spieler nach allen Partien mit Ergebnis sind, sortiert nach der unteren Grenze.",
    "Show how a player's rating came about, game by game.": ""
    "Zeigen, wie die Wertungszahl eines Spielers entstand, Partie für Partie.",
}
