/**
 * Known column names and JSON keys of each field. The readers of tables and JSON files use these names to recognise
 * fields, whichever service has written the file. Names are compared without case, accents, spaces and punctuation. The
 * sources are listed in docs/importing-history.md.
 */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'

/**
 * Names of each field: English first, then French, German, Spanish, Portuguese, Italian, Dutch, Arabic, Polish,
 * Turkish, Russian and Chinese.
 */
const NAMES_BY_FIELD = {
  title: `title, titles, movie/show, movie or show, film/series, film name, program title, title name, media title, item title,
    work, titre, film/série, film ou série, titel, film/serie, titulo, título, título nombre, titolo, film o serie, العنوان,
    عنوان, عنوان الفيلم أو المسلسل,
    tytuł, tytuł filmu, pl title, polski tytuł, başlık, русскоязычное название, название фильма, русское название, 标题, 標題, 片名, 影片名,
    影片, 影片名称, 电影名称, 電影名稱, 电影/电视剧/番组`,
  /** Names that also occur in tables about other things. */
  weakTitle: `name, item name, item description, nom, bezeichnung, nombre, nome, naam, اسم, الاسم,
    nazwa, isim, ad, adı, название, наименование, 名称, 名稱`,
  /** Year, countries and genres of a title in one text, as Douban writes them. */
  titleFacts: `简介, 簡介`,
  originalTitle: `original title, original name, original title name, titre original, originaltitel, título original,
    titolo originale, originele titel, oorspronkelijke titel, العنوان الأصلي,
    tytuł oryginalny, oryginalny tytuł, orijinal adı, orijinal ad, orijinal başlık, özgün adı, оригинальное название,
    название оригинала, английское название, english title, english name, 原名, 原标题, 原標題, 外文名, 英文名, 别名, 別名, 又名`,
  seriesTitle: `series, show, tv show, tv series, series title, series name, show title, show name, grandparent title,
    série, nom de la série, titre de la série, serie, serientitel, serienname, fernsehserie, serie tv, titolo serie,
    título de la serie, nome da série, titel serie, مسلسل, المسلسل, اسم المسلسل,
    serial, tytuł serialu, dizi, dizi adı, сериал, название сериала, 剧名, 劇名, 剧集, 劇集, 电视剧, 電視劇`,
  movieTitle: `movie, film, movie title, film title, movie name, titre du film, filmtitel, película, título de la película,
    filme, título do filme, titolo film, titolo del film, فيلم, الفيلم, اسم الفيلم,
    film adı, фильм, кино, 电影, 電影, 电影名, 電影名`,
  seasonTitle: `season title, season name, parent title, titre de la saison, staffeltitel`,
  episodeTitle: `episode title, episode name, title of episode, titre de l'épisode, nom de l'épisode, folgentitel,
    episodentitel, titel der folge, título del episodio, título do episódio, titolo episodio, titel aflevering, عنوان الحلقة,
    tytuł odcinka, bölüm adı, название серии, название эпизода, 集名, 单集标题`,
  year: `year, film year, movie year, show year, series year, release year, year released, production year, start year, release date, released, premiered, premiere date,
    first air date, originally available at, air year, original release year, series start, année, année de sortie, date de sortie, jahr, erscheinungsjahr,
    produktionsjahr, erscheinungsdatum, año, año de estreno, fecha de estreno, ano, ano de lançamento, data de lançamento, anno,
    anno di uscita, data di uscita, jaar, jaar van uitgave, سنة, السنة, سنة الإصدار,
    rok, rok produkcji, data premiery, yıl, yapım yılı, yayın yılı, çıkış tarihi, год, год выпуска, год выхода, дата выхода,
    年份, 上映年份, 上映日期, 上映时间, 上映時間, 发行日期, 發行日期, 首播日期, 首播`,
  type: `type, media type, kind, title type, content type, item type, object type, video type, category, show type, type de média,
    type de titre, catégorie, genre de média, typ, art, medientyp, titeltyp, kategorie, tipo, tipo de título,
    tipo di titolo, categoría, tipo de contenido, categoria, soort, categorie, النوع, نوع,
    typ, tür, тип, 类别, 類別, lot`,
  format: `format, anime type, series type, subtype`,
  season: `season, season number, season no, season num, seasonnumber, s, parent media index, parent index number, parent index, saison,
    numéro de saison, staffel, temporada, stagione, seizoen, الموسم, موسم,
    sezon, numer sezonu, сезон, номер сезона, 季, 第几季, 季数`,
  episode: `episode, episode number, episode no, episode num, ep, e, media index, index number, numéro d'épisode, folge, episodio,
    capítulo, episódio, puntata, aflevering, الحلقة, حلقة,
    odcinek, numer odcinka, bölüm, bölüm numarası, серия, эпизод, номер серии, номер эпизода, 第几集, 集号`,
  lastEpisode: `last ep watched, last episode, last episode watched, last watched episode`,
  watchedAt: `watched at, watched date, date watched, last watched, last watched at, last watched date, watch date, watched on,
    viewed at, viewed on, date viewed, view date, viewing date, last viewed at, last viewed, seen on, seen at, date seen,
    last seen, last played, last played date, last played at, played at, played on, date played, most recent watch date,
    playback start datetime utc, playback start datetime, last activity timestamp, date finished, date completed, finish date,
    finished at, finished on, finished date, completed at, completed on, completed date, end date, my finish date, backdate,
    vu le, vue le, date de visionnage, visionné le, date vu, regardé le, gesehen am, angesehen am, datum angesehen, zuletzt gesehen,
    datum gesehen, visto el, vista el, fecha de visionado, fecha visto, fecha vista, fecha de visualización, visto em, assistido em,
    data assistido, data de visualização, visto il, data visione, data di visione, guardato il, bekeken op, gezien op,
    datum gezien, datum bekeken, laatst bekeken, تاريخ المشاهدة, شوهد في,
    data obejrzenia, obejrzano, obejrzane dnia, data seansu, izleme tarihi, izlenme tarihi, izlendiği tarih, дата просмотра,
    дата последнего просмотра, когда посмотрел, 观看日期, 觀看日期, 观看时间, 觀看時間, 观影日期, 觀影日期, 观影时间, 看过日期, 最后观看, ended on, ended at, occurred at`,
  startedAt: `started on, started at, start date, date started`,
  date: `date, day, when, date time, datetime, timestamp, jour, datum, tag, fecha, día, data, giorno, dag, التاريخ, تاريخ,
    dzień, data i godzina, tarih, дата, дата и время, день, 日期, action date`,
  addedAt: `added at, added, date added, added on, added date, created, created at, date created, added to watchlist at,
    ajouté le, date d'ajout, hinzugefügt am, hinzugefügt, fecha de adición, añadido el, agregado el, adicionado em,
    data de adição, aggiunto il, toegevoegd op, تاريخ الإضافة,
    data dodania, dodano, eklenme tarihi, eklendi, дата добавления, добавлено, 添加日期, 添加时间, 收藏日期, 收藏时间,
    标记日期, 標記日期, 标记时间, 創建時間, 创建时间`,
  listedAt: `listed at, listed on, added to list at`,
  watchlistedAt: `watchlisted at, for later at`,
  ratedAt: `date rated, review date, rated at, iso date, rated on, rating date, vote date, date voted, voted at, voted on, user rated at, noté le, date de notation, date de la note,
    bewertet am, bewertungsdatum, datum der bewertung, fecha de valoración, fecha de votación, fecha de calificación,
    fecha de puntuación, data de avaliação, data da avaliação, data della valutazione, datum beoordeling, avaliado em,
    data voto, votato il, beoordeeld op, تاريخ التقييم,
    data oceny, data ocenienia, oceniono, puanlama tarihi, oylama tarihi, puan tarihi, дата оценки, дата выставления оценки,
    打分日期, 打分时间, 评分日期, 評分日期, 评分时间, 評分時間`,
  rating: `rating, ratings, overall, your rating, my rating, user rating, rating user, personal rating, own rating, you rated, score,
    my score, your score, user score, user vote, my vote, your vote, rate, rated, stars, my stars, grade, mark, notation, ma note, votre note, étoiles, mon avis sur dix,
    bewertung, meine bewertung, deine bewertung, ihre bewertung, wertung, punkte, sterne, calificación, mi calificación,
    tu calificación, su calificación, puntuación, tu puntuación, valoración, mi nota, estrellas, nota, avaliação,
    minha nota, sua avaliação, sua nota, estrelas, valutazione, la tua valutazione, voto, il mio voto, il tuo voto,
    punteggio, stelle, beoordeling, mijn beoordeling, jouw beoordeling, cijfer, waardering, sterren, تقييم, التقييم, تقييمي,
    تقييمك,
    ocena, moja ocena, twoja ocena, puan, puanım, puanın, verdiğim puan, değerlendirme, оценка, моя оценка, ваша оценка, моя оценка фильма,
    рейтинг, мой рейтинг, 评分, 評分, 我的评分, 我的評分, 个人评分, 個人評分, 打分, 我的打分, 星级, 星級`,
  noteOrRating: `note`,
  status: `status, state, watch status, list status, watch state, my status, user status, shelf, exclusive shelf, statut, état,
    zustand, estado, stato, situação, toestand, الحالة, حالة,
    stan, durum, durumu, izleme durumu, статус, состояние, 状态, 狀態, 观看状态, 觀看狀態`,
  watched: `watched, seen, is watched, fully watched, is seen, viewed, has been played, played, checked, completed, finished, vu, vue, déjà vu,
    gesehen, angesehen, schon gesehen, visto, vista, visionado, visionada, assistido, já vi, guardato, bekeken, gezien,
    شوهد, شاهدته, تمت المشاهدة, watched status,
    obejrzane, obejrzany, obejrzana, widziane, izlendi, izledim, просмотрено, просмотрен, посмотрел, посмотрела, 看过, 看過, 已看, 已观看`,
  watchlist: `watchlist, watch list, in watchlist, on watchlist, to watch, want to watch, want to see, wishlist, plan to watch,
    planned, à voir, envie, envie de voir, merkliste, vorgemerkt, will ich sehen, pendiente, por ver, quiero ver, para ver, quero ver, da vedere,
    te kijken, wil ik zien, للمشاهدة, أريد مشاهدته,
    do obejrzenia, chcę obejrzeć, chcę zobaczyć, izlenecek, izlenecekler, izleme listesi, хочу посмотреть, буду смотреть, к просмотру, 想看`,
  plays: `plays, play count, playcount, times watched, times seen, watch count, view count, viewings, total plays, number of plays,
    nombre de visionnages, nombre de vues, anzahl gesehen, veces visto, visionados, vezes visto, volte visto, aantal keer gezien,
    عدد المشاهدات,
    liczba obejrzeń, liczba seansów, izlenme sayısı, izleme sayısı, количество просмотров, число просмотров, просмотров, 观看次数, 觀看次數`,
  rewatches: `rewatch count, rewatches, times rewatched, rewatched times, repeat, my times watched, reconsume count`,
  imdb: `imdb, imdb id, imdb number, imdb url, imdb link, imdb code, const, tconst, show imdb id, series imdb id`,
  tmdb: `tmdb, tmdb id, tmdb url, tmdb link, themoviedb, themoviedb id, the movie db id, show tmdb id, series tmdb id`,
  tvdb: `tvdb, tvdb id, tvdb url, thetvdb, thetvdb id, show tvdb id, series tvdb id`,
  trakt: `trakt, trakt id`,
  mediaId: `media id, identifier`,
  mediaSource: `source`,
  url: `url, link, links, uri, website, href, lien, enlace, collegamento, رابط,
    adres, bağlantı, ссылка, 链接, 鏈接, 連結, 条目链接, 條目連結, 豆瓣链接, 地址, 网址`,
  note: `notes, my notes, comment, comments, my comment, my comments, review, my review, review text, mini review, memo, remarks,
    commentaire, commentaires, mon commentaire, avis, critique, remarques, kommentar, kommentare, notiz, notizen, anmerkung,
    anmerkungen, kritik, comentario, comentarios, notas, reseña, crítica, comentário, comentários, resenha, commento, commenti,
    recensione, opmerking, opmerkingen, recensie, notities, ملاحظات, ملاحظة, تعليق,
    komentarz, mój komentarz, recenzja, notatki, notatka, uwagi, user comment, yorum, yorumum, inceleme, notlar, notlarım, комментарий,
    мой комментарий, отзыв, мой отзыв, рецензия, заметки, заметка, 短评, 短評, 我的短评, 我的短評, 评论, 評論, 我的评论, 评价, 我的评价, 吐槽, 备注, 備註, 笔记`,
  favourite: `favorite, favourite, favorites, favourites, is favorite, is favourite, liked, like, loved, favori, favoris,
    coup de coeur, favorit, favoriten, lieblingsfilm, favorito, favorita, me gusta, preferito, preferiti, favoriet, مفضل, المفضلة,
    ulubione, ulubiony, favoriler, избранное, любимое, любимый, 喜欢, 喜歡, 最爱`,
  disliked: `disliked, dislike, thumbs down, je n'aime pas, no me gusta`,
  owned: `owned, own, collected at, last collected at, collected, in collection`,
  dropped: `dropped, abandoned, stopped watching at, hidden at, abandonné, abgebrochen, abandonado, abbandonato, gestopt,
    porzucone, porzucony, bırakıldı, yarım bırakıldı, брошено, бросил, 弃剧, 棄劇`,
  /** What the record logs, such as `scrobble` or `rated`. */
  action: `action, action type, event, event type`,
  list: `list, list name, lists, custom list, liste, nom de la liste, listenname, lista, nombre de la lista, nome da lista,
    nome lista, lijst, naam van de lijst, قائمة, القائمة,
    nazwa listy, liste adı, список, название списка, 片单, 片單, 列表`,
  profile: `profile, profile name, profile id, user, username, user name, friendly name, viewer, watched by, person, profil,
    utilisateur, spectateur, vu par, benutzer, person, gesehen von, perfil, usuario, visto por, usuário, profilo, utente, profiel,
    gebruiker, الملف الشخصي, المستخدم,
    użytkownik, kullanıcı, kullanıcı adı, пользователь, профиль, 用户, 用戶`,
  runtime: `runtime, runtime mins, runtime minutes, run time, durée, laufzeit, duración, duração, durata, speelduur,
    duration min, runtime min, czas trwania, süre, süresi, время, длительность, продолжительность, 片长, 片長, 时长`,
  secondsWatched: `seconds viewed, seconds watched, watched seconds, play duration`,
  percent: `percent complete, percent watched, watched percent, percentage watched, progress percent, completion`,
  episodesWatched: `my watched episodes, episodes watched, watched episodes, watched episodes count, num episodes watched, num watched episodes`,
  deleted: `deleted from watch history, is deleted, deleted`,
  materialType: `material type description`,
} as const

export type RecordField = keyof typeof NAMES_BY_FIELD

/**
 * Maximum length of a column name in characters. A longer text is not folded, because folding long texts takes time.
 */
const MAX_NAME_LENGTH = 80

/** Returns a name without case, accents, spaces and punctuation; empty for a very long name. */
export const foldFieldName = (name: string): string =>
  name.length > MAX_NAME_LENGTH ? '' : foldSearchText(name).replaceAll(' ', '')

const FIELDS_BY_NAME: ReadonlyMap<string, RecordField> = new Map(
  Object.entries(NAMES_BY_FIELD).flatMap(([field, names]) =>
    names.split(',').map((name) => [foldFieldName(name), field as RecordField] as const),
  ),
)

/**
 * Names of columns and keys with the rating of the user. A column or key such as `Rating` beside one of them contains
 * the rating of all users.
 */
const PERSONAL_RATING_NAMES: ReadonlySet<string> = new Set(
  `your rating, my rating, user rating, rating user, personal rating, own rating, you rated, my score, your score, user score,
    overall, user vote, my vote, your vote, ma note, votre note, meine bewertung, deine bewertung, ihre bewertung, mi calificación,
    tu calificación, su calificación, tu puntuación, mi nota, minha nota, sua avaliação, sua nota, la tua valutazione, il mio voto,
    il tuo voto, mijn beoordeling, jouw beoordeling, moja ocena, twoja ocena, puanım, puanın, verdiğim puan, моя оценка,
    ваша оценка, мой рейтинг, 我的评分, 我的評分, 个人评分, 個人評分, 我的打分`
    .split(',')
    .map(foldFieldName),
)

/** True for the folded name of the rating of the user, such as `myrating`. */
export const isPersonalRatingName = (foldedName: string): boolean => PERSONAL_RATING_NAMES.has(foldedName)

/** Matches a unit or a format in brackets after the name of a column: `Last Played (UTC)`, `Runtime (mins)`. */
const UNIT_SUFFIX_PATTERN =
  /\s*[([](?:utc|gmt|local|local time|min|mins|minutes|minuten|minutos|optional|y\/n|yes\/no|[dmy]{1,4}(?:[/.-][dmy]{1,4}){2})[)\]]\s*$/i

/** Words between the name of a rating and its scale: `Rating out of 10`, `Note sur 20`, `Score (1-100)`. */
const WORDS_BEFORE_SCALE = new Set('0 1 out of sur von auf aus de su di van op max من'.split(' '))
const RATING_SCALES: readonly string[] = ['4', '5', '6', '10', '20', '100', '%']
/** Names of columns with ratings in stars. Five stars are the best rating. */
const STAR_RATING_NAMES = new Set('stars mystars etoiles sterne estrellas estrelas stelle sterren'.split(' '))

export interface RecognisedField {
  field: RecordField
  /** Best possible rating, if the name of the column shows it: 10 for `Score out of 10`, 100 for `%`, 5 for `Stars`. */
  ratingScale?: number
}

/** Returns the field that a column name or a JSON key names; null for an unknown name. */
export function recogniseFieldName(name: string): RecognisedField | null {
  const foldedName = foldFieldName(name)
  const field = FIELDS_BY_NAME.get(foldedName)
  if (field) return STAR_RATING_NAMES.has(foldedName) ? { field, ratingScale: 5 } : { field }
  if (foldedName === '') return null
  const nameWithoutUnit = name.replace(UNIT_SUFFIX_PATTERN, '')
  return nameWithoutUnit === name ? recogniseScaledRating(name) : recogniseFieldName(nameWithoutUnit)
}

function recogniseScaledRating(name: string): RecognisedField | null {
  const words = foldSearchText(name)
    .replace(/(\D)(\d+|%)$/, '$1 $2')
    .split(' ')
    .filter((word) => word !== '')
  const scaleText = words.pop() ?? ''
  if (!RATING_SCALES.includes(scaleText)) return null
  while (WORDS_BEFORE_SCALE.has(words.at(-1) ?? '')) words.pop()
  const field = FIELDS_BY_NAME.get(words.join(''))
  if (field !== 'rating' && field !== 'noteOrRating') return null
  return { field: 'rating', ratingScale: scaleText === '%' ? 100 : Number(scaleText) }
}
