/** The words in the cells of tables and in JSON files of any service: states, types of titles, yes and no. */
import { parseBoolean } from './csv.ts'
import type { HistoryTitleType } from './history-row.ts'
import { foldFieldName } from './record-fields.ts'

export type WatchStatus = 'planned' | 'watching' | 'completed' | 'dropped'

const createWordMap = <Value extends string>(wordsByValue: Readonly<Record<Value, string>>) =>
  new Map(
    Object.entries<string>(wordsByValue).flatMap(([value, words]) =>
      words.split(',').map((word) => [foldFieldName(word), value as Value] as const),
    ),
  )

/** A title on hold has been started, so it counts as being watched. */
const STATUSES_BY_WORD = createWordMap<WatchStatus>({
  planned: `plan to watch, planned, planning, ptw, watchlist, watch list, wishlist, to watch, want to watch, want to see, not started,
    not started yet, backlog, later, queue, to see, plan to see, à voir, envie, envie de voir, prévu, geplant, merkliste,
    will ich sehen, noch sehen, pendiente, por ver, quiero ver, planeado, quero ver, quero assistir, para ver, planejado, da vedere,
    da guardare, te zien, te kijken, wil ik zien, gepland, مخطط, للمشاهدة, أريد مشاهدته, قائمة المشاهدة,
    for later, do obejrzenia, chcę obejrzeć, chcę zobaczyć, planowane, izlenecek, izleyeceğim, izlemek istiyorum, буду смотреть,
    хочу посмотреть, в планах, запланировано, 想看, 计划观看, 未看`,
  watching: `watching, progress, current, currently watching, in progress, started, repeating, rewatching, on hold, on-hold, hold, paused,
    en cours, en pause, schaue ich, schaue gerade, läuft, laufend, pausiert, viendo, en curso, en progreso, en pausa, assistindo,
    em andamento, pausado, in corso, sto guardando, in pausa, bezig, aan het kijken, gepauzeerd, أشاهد, أشاهده, قيد المشاهدة, متوقف مؤقتا,
    oglądam, w trakcie, wstrzymane, izliyorum, izleniyor, beklemede, смотрю, в процессе, отложено, на паузе, 在看, 正在看, 搁置`,
  completed: `completed, complete, finished, done, watched, seen, viewed, vu, vue, terminé, terminée, fini, gesehen,
    abgeschlossen, fertig, beendet, visto, vista, completado, completada, terminado, terminada, completo, assistido, assistida,
    concluído, concluída, completato, completata, finito, gezien, bekeken, voltooid, afgerond, مكتمل, شوهد, تمت المشاهدة,
    obejrzane, obejrzany, obejrzana, ukończone, izledim, izlendi, tamamlandı, просмотрено, просмотрен, просмотрена, посмотрел,
    посмотрела, завершено, 看过, 看過, 已看, 已看完, 看完`,
  dropped: `dropped, abandoned, stopped, gave up, abandonné, abandonnée, abgebrochen, abandonado, abandonada, dejado, largado,
    abbandonato, abbandonata, interrotto, gestopt, afgebroken, متروك, توقفت,
    stopped watching, porzucone, porzucony, bıraktım, yarım bıraktım, bırakıldı, брошено, бросил, бросила, 弃剧, 抛弃, 已弃`,
})

/** Returns the state that a text names; null for any other text, such as `Returning Series`. */
export const parseStatus = (text: string): WatchStatus | null =>
  text === '' ? null : (STATUSES_BY_WORD.get(foldFieldName(text)) ?? null)

export type RecordType = HistoryTitleType | 'episode' | 'other'

const TYPES_BY_WORD = createWordMap<RecordType>({
  movie: `movie, movies, film, films, feature, feature film, tv movie, short, short film, video, long métrage, court métrage,
    téléfilm, spielfilm, kurzfilm, fernsehfilm, película, películas, cortometraje, filme, filmes, curta, cortometraggio,
    speelfilm, فيلم, أفلام,
    film fabularny, фильм, фильмы, кино, мультфильм, короткометражка, 电影, 電影, 影片, 短片`,
  tv: `tv, show, shows, series, tv show, tv shows, tv series, mini series, miniseries, tv mini series, tv short, season, série,
    séries, série tv, série télévisée, mini série télévisée, serie de televisión, serie televisiva, saison, serie, serien,
    fernsehserie, staffel, serie tv, serie de tv, temporada, stagione, seizoen, tv-serie, مسلسل, مسلسلات, موسم,
    tmdb show, tvdb show, serial, seriale, dizi, diziler, mini dizi, сериал, сериалы, мини-сериал, мультсериал, 电视剧, 電視劇, 剧集, 劇集, 连续剧, 番剧, 美剧, 日剧, 韩剧`,
  episode: `episode, episodes, tv episode, épisode, folge, episodio, capítulo, episódio, puntata, aflevering, حلقة,
    odcinek, bölüm, серия, эпизод, 单集`,
  other: `manga, novel, light novel, one shot, manhwa, book, books, comic, game, games, video game, board game, music,
    music video, song, album, artist, track, audio, podcast, person, actor, photo, clip, livre, jeu, buch, spiel, libro, juego,
    livro, jogo, gioco, boek, spel, كتاب, لعبة,
    książka, gra, kitap, oyun, книга, игра, 书, 图书, 游戏, 音乐`,
})

/**
 * Returns the type that a text names; null for any other text. `other` is something that the catalogue does not have.
 */
export const parseRecordType = (text: string): RecordType | null =>
  text === '' ? null : (TYPES_BY_WORD.get(foldFieldName(text)) ?? null)

const FLAGS_BY_WORD = createWordMap<'yes' | 'no'>({
  yes: `yes, y, x, oui, ja, j, sí, si, sim, sì, نعم,
    tak, evet, да, 是`,
  no: `no, n, non, nein, não, nee, لا, unwatched, not watched, unseen, not seen, never, non vu, nicht gesehen, ungesehen,
    no visto, não visto, non visto, niet gezien, لم يشاهد,
    nie, hayır, нет, 否, nieobejrzane, izlenmedi, не просмотрено`,
})

/** Returns true if a text means yes, false if it means no, and null for any other text. */
export function parseFlag(text: string): boolean | null {
  if (text === '') return null
  if (/^[✓✔☑✅]\ufe0f?$/u.test(text)) return true
  const word = FLAGS_BY_WORD.get(foldFieldName(text))
  return word ? word === 'yes' : parseBoolean(text)
}

/**
 * Words of records that log an action. Some words mean a viewing, such as `watch` and `scrobble`; the others mean
 * another action.
 */
const ACTIONS_BY_WORD = createWordMap<'viewing' | 'other'>({
  viewing: 'watch, watched, scrobble, scrobbled, checkin, check in, play, played, seen, viewed, episode',
  other: `rate, rated, rating, review, reviewed, like, liked, favorite, favorited, list, listed, collect, collected, comment,
    commented, follow, followed, add, added, watchlist, watchlisted, planned`,
})

/** Returns whether a text names an action that is no viewing, such as `rated`. */
export const isNonViewingAction = (text: string): boolean =>
  text !== '' && ACTIONS_BY_WORD.get(foldFieldName(text)) === 'other'
