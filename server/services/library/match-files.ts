/**
 * Finds the title of each file of the media folder. The choice of an administrator comes first, then the ids in names
 * and NFO files, then an unambiguous name and year.
 */
import type { UntitledFileReason } from '../../../src/lib/contract/admin-library.ts'
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import type { LibraryFile, TitleIdentity } from '../../providers/library/library-index.ts'
import { getMainCandidate } from '../../providers/library/title-name.ts'
import type { LibraryChoiceRow } from '../../queries/library-choice.ts'
import type { MatchableTitle } from '../../queries/library-match.ts'
import type { CatalogueLookup } from './catalogue-lookup.ts'

export interface FileMatch {
  kind: 'movie' | 'tv'
  season: number
  episodes: number[]
  state: 'matched' | 'unmatched' | 'ignored'
  reason: UntitledFileReason | null
  matchedBy: 'id' | 'name' | 'choice' | null
  titleId: number | null
  /** Ids of titles that the file may belong to. */
  candidates: number[]
}
type FileTitleMatch = Pick<FileMatch, 'reason' | 'matchedBy' | 'titleId' | 'candidates'>

/** Maximum number of candidates per file. */
const MAX_CANDIDATES_PER_FILE = 10

/**
 * Returns the folded titles under which a choice for a folder may be stored: the title of the main candidate and, for
 * choices that older versions stored, the title of the first candidate. The choice applies to the files with the same
 * title.
 */
const getChoiceTitles = ({ kind, candidates }: Pick<LibraryFile, 'kind' | 'candidates'>) => [
  ...new Set(
    [getMainCandidate({ kind, candidates }), candidates[0]].map((candidate) =>
      foldSearchText(candidate?.title ?? ''),
    ),
  ),
]

export function createFileMatcher(catalogue: CatalogueLookup, choices: readonly LibraryChoiceRow[]) {
  const findChoice = createChoiceFinder(choices)
  const cachedMatchesByKey = new Map<string, FileTitleMatch>()
  /**
   * Matches files with equal kind, ids and title candidates only once, so that a series is not looked up again for each
   * episode.
   */
  const matchCachedIdentity = (file: LibraryFile) => {
    const identityKey = JSON.stringify([file.kind, file.ids, file.candidates])
    const match = cachedMatchesByKey.get(identityKey) ?? matchIdentity(catalogue, file.kind, file)
    cachedMatchesByKey.set(identityKey, match)
    return match
  }
  return (file: LibraryFile): FileMatch => {
    const choice = file.problem === 'disc' ? undefined : findChoice(file)
    if (choice) return applyChoice(catalogue, file, choice)
    const { kind, season, episodes } = file
    const episodeFields = { kind, season, episodes }
    if (file.problem)
      return {
        ...episodeFields,
        state: file.problem === 'extra' ? 'ignored' : 'unmatched',
        ...createUnmatchedResult(file.problem, []),
      }
    const match = matchCachedIdentity(file)
    return matchEpisodes(
      catalogue,
      { ...episodeFields, state: match.titleId === null ? 'unmatched' : 'matched', ...match },
      file,
    )
  }
}

/** Returns the folders that contain a file, the closest first. The last entry, `''`, is the media folder itself. */
export function listParentFolders(path: string): string[] {
  const folderNames = path.split('/').slice(0, -1)
  return [...folderNames.keys(), folderNames.length]
    .map((depth) => folderNames.slice(0, depth).join('/'))
    .toReversed()
}

function createChoiceFinder(choices: readonly LibraryChoiceRow[]) {
  const createChoiceKey = ({
    path,
    scope,
    kind,
    parsed_title,
  }: Omit<LibraryChoiceRow, 'choice_id' | 'title_id' | 'season_number' | 'episode_number' | 'created_at'>) =>
    JSON.stringify([scope, path, scope === 'file' ? '' : kind, parsed_title])
  const choicesByKey = new Map(choices.map((choice) => [createChoiceKey(choice), choice]))
  return (file: LibraryFile): LibraryChoiceRow | undefined => {
    if (choicesByKey.size === 0) return undefined
    const { kind, path } = file
    const ownChoice = choicesByKey.get(createChoiceKey({ scope: 'file', path, kind, parsed_title: '' }))
    if (ownChoice || file.problem) return ownChoice
    const choiceTitles = getChoiceTitles(file)
    for (const folder of listParentFolders(path)) {
      for (const parsed_title of choiceTitles) {
        const choice = choicesByKey.get(
          createChoiceKey({ scope: 'folder', path: folder, kind, parsed_title }),
        )
        if (choice) return choice
      }
    }
    return undefined
  }
}

function applyChoice(catalogue: CatalogueLookup, file: LibraryFile, choice: LibraryChoiceRow): FileMatch {
  const title = choice.title_id === null ? undefined : catalogue.findById(choice.title_id)
  const { kind, season, episodes } = file
  if (!title)
    return {
      kind,
      season,
      episodes,
      state: 'unmatched',
      // Either the administrator chose that the file has no title, or the chosen title was deleted. If that title is
      // restored, the file is matched to it again.
      ...createUnmatchedResult('dismissed', []),
    }
  const match = { state: 'matched' as const, reason: null, matchedBy: 'choice' as const, candidates: [] }
  if (title.type === 'movie')
    return { ...match, kind: 'movie', season: 0, episodes: [], titleId: title.title_id }
  const hasChosenNumbers = choice.season_number !== null && choice.episode_number !== null
  return matchEpisodes(
    catalogue,
    {
      ...match,
      kind: 'tv',
      season: hasChosenNumbers ? (choice.season_number as number) : season,
      episodes: hasChosenNumbers ? [choice.episode_number as number] : episodes,
      titleId: title.title_id,
    },
    hasChosenNumbers ? {} : file,
  )
}

/**
 * Returns the match if it is a movie, or if the catalogue has at least one of the episodes of the file. Otherwise
 * returns a result without a title. An episode is found by its numbers, by the date in the name, or by its
 * position in the series. If the number may include the season, 105 can be episode 5 of season 1.
 */
function matchEpisodes(
  catalogue: CatalogueLookup,
  match: FileMatch,
  {
    airDate,
    isAbsolute,
    mayNumberIncludeSeason,
  }: Pick<LibraryFile, 'airDate' | 'isAbsolute' | 'mayNumberIncludeSeason'>,
): FileMatch {
  const { kind, titleId, season, episodes } = match
  if (kind === 'movie' || titleId === null) return match
  if (episodes.some((episode) => catalogue.hasEpisode(titleId, season, episode))) return match
  const episodeInSeason = (episodes[0] ?? 0) - season * 100
  const canNumberIncludeSeason =
    mayNumberIncludeSeason && season > 0 && episodeInSeason > 0 && episodeInSeason < 100
  if (canNumberIncludeSeason && catalogue.hasEpisode(titleId, season, episodeInSeason))
    return { ...match, episodes: [episodeInSeason] }
  const foundEpisodes =
    airDate === undefined
      ? isAbsolute
        ? episodes.flatMap(
            (positionInSeries) => catalogue.findEpisodeByPosition(titleId, positionInSeries) ?? [],
          )
        : []
      : catalogue.findEpisodesByDate(titleId, airDate)
  const [firstEpisode] = foundEpisodes
  if (!firstEpisode)
    return { ...match, state: 'unmatched', ...createUnmatchedResult('no_episode', [titleId]) }
  const sameSeasonEpisodes = foundEpisodes.filter((episode) => episode.season === firstEpisode.season)
  return { ...match, season: firstEpisode.season, episodes: sameSeasonEpisodes.map(({ episode }) => episode) }
}

const createUnmatchedResult = (reason: UntitledFileReason, candidates: number[]): FileTitleMatch => ({
  reason,
  matchedBy: null,
  titleId: null,
  candidates: [...new Set(candidates)].slice(0, MAX_CANDIDATES_PER_FILE),
})
const createMatch = (matchedBy: 'id' | 'name', title: MatchableTitle): FileTitleMatch => ({
  reason: null,
  matchedBy,
  titleId: title.title_id,
  candidates: [],
})
const listTitleIds = (titles: readonly MatchableTitle[]) => titles.map((title) => title.title_id)

/**
 * Finds the title of a file by id, otherwise by name. If the file has an id, a name matches only titles for which the
 * catalogue has no id of that kind.
 */
function matchIdentity(
  catalogue: CatalogueLookup,
  kind: FileMatch['kind'],
  { ids, candidates }: TitleIdentity,
): FileTitleMatch {
  const imdbTitle = ids.imdb === undefined ? undefined : catalogue.findByImdbId(kind, ids.imdb)
  const tmdbTitle = ids.tmdb === undefined ? undefined : catalogue.findByTmdbId(kind, ids.tmdb)
  const titleFoundById = imdbTitle ?? tmdbTitle
  if (titleFoundById) {
    const conflictingTmdbTitle = imdbTitle && tmdbTitle && imdbTitle !== tmdbTitle ? tmdbTitle : undefined
    const hasOtherImdbId =
      ids.imdb !== undefined && titleFoundById.imdb_id !== null && titleFoundById.imdb_id !== ids.imdb
    const hasOtherTmdbId =
      ids.tmdb !== undefined && titleFoundById.tmdb_id !== null && titleFoundById.tmdb_id !== ids.tmdb
    if (conflictingTmdbTitle || hasOtherImdbId || hasOtherTmdbId)
      return createUnmatchedResult(
        'id_conflict',
        listTitleIds(conflictingTmdbTitle ? [titleFoundById, conflictingTmdbTitle] : [titleFoundById]),
      )
    return createMatch('id', titleFoundById)
  }
  // No title has the IMDb id or the TMDB id of the file (see above). Only the TheTVDB id remains. If the title with
  // this TheTVDB id has an IMDb id or a TMDB id, and the file has an id of the same kind, the two ids differ. Different
  // ids are a conflict, because TheTVDB and TMDB divide some series differently.
  const tvdbTitle = ids.tvdb === undefined ? undefined : catalogue.findByTvdbId(kind, ids.tvdb)
  if (tvdbTitle) {
    const isContradicted =
      (ids.imdb !== undefined && tvdbTitle.imdb_id !== null) ||
      (ids.tmdb !== undefined && tvdbTitle.tmdb_id !== null)
    return isContradicted
      ? createUnmatchedResult('id_conflict', listTitleIds([tvdbTitle]))
      : createMatch('id', tvdbTitle)
  }
  const hasNoIdOfFile = (title: MatchableTitle) =>
    (ids.imdb === undefined || title.imdb_id === null) &&
    (ids.tmdb === undefined || title.tmdb_id === null) &&
    (ids.tvdb === undefined || title.tvdb_id === null)
  const nameMatch = matchTitleByName(catalogue, kind, candidates, hasNoIdOfFile)
  if (nameMatch.titleId !== null || Object.keys(ids).length === 0) return nameMatch
  const nameMatchIgnoringIds = matchTitleByName(catalogue, kind, candidates, () => true)
  // With the reason `other_year`, the file is looked up at TMDB (tmdb-lookup.ts), although the catalogue has a title of
  // this name. TMDB knows most ids of TheTVDB, so it can tell whether the title of the file is a remake.
  const hasOnlyTvdbId = ids.imdb === undefined && ids.tmdb === undefined
  if (hasOnlyTvdbId && nameMatchIgnoringIds.reason === 'other_year') return nameMatchIgnoringIds
  return createUnmatchedResult(
    'unknown_id',
    nameMatchIgnoringIds.titleId === null ? nameMatchIgnoringIds.candidates : [nameMatchIgnoringIds.titleId],
  )
}

function matchTitleByName(
  catalogue: CatalogueLookup,
  kind: FileMatch['kind'],
  candidates: TitleIdentity['candidates'],
  isPossibleTitle: (title: MatchableTitle) => boolean,
): FileTitleMatch {
  const foldedCandidates = candidates.map((candidate) => ({
    ...candidate,
    foldedName: foldSearchText(candidate.title),
  }))
  const otherYearTitles: MatchableTitle[] = []
  for (const { foldedName, year, isUncertain } of preferLongerNames(foldedCandidates)) {
    const namedTitles = catalogue.findByName(kind, foldedName).filter(isPossibleTitle)
    const exactYearMatches = year === null ? namedTitles : namedTitles.filter((title) => title.year === year)
    // The release year can differ by one between festivals, cinemas and countries. Without an exact match, a
    // year that differs by one is therefore accepted, and so is a title of unknown year. An uncertain candidate
    // needs an exact match.
    const nearYearMatches = namedTitles.filter(
      (title) => title.year === null || Math.abs(title.year - (year ?? 0)) === 1,
    )
    const likelyTitles = exactYearMatches.length > 0 || isUncertain ? exactYearMatches : nearYearMatches
    if (likelyTitles.length > 1) return createUnmatchedResult('ambiguous', listTitleIds(likelyTitles))
    if (likelyTitles[0]) return createMatch('name', likelyTitles[0])
    if (!isUncertain) otherYearTitles.push(...namedTitles)
  }
  return otherYearTitles.length > 0
    ? createUnmatchedResult('other_year', listTitleIds(otherYearTitles))
    : matchJoinedName(catalogue, kind, foldedCandidates, isPossibleTitle)
}

type FoldedCandidate = TitleIdentity['candidates'][number] & { foldedName: string }

/**
 * Moves a candidate before a shorter candidate of the same year if the longer name begins with the words of the shorter
 * name. "Step Up 3D" may be a title, and then the file is not "Step Up" in 3D.
 */
function preferLongerNames(candidates: readonly FoldedCandidate[]): FoldedCandidate[] {
  const orderedCandidates: FoldedCandidate[] = []
  for (const candidate of candidates) {
    const shorterNameIndex = orderedCandidates.findIndex(
      ({ foldedName, year, isUncertain }) =>
        !isUncertain &&
        !candidate.isUncertain &&
        year === candidate.year &&
        candidate.foldedName.startsWith(`${foldedName} `),
    )
    orderedCandidates.splice(shorterNameIndex < 0 ? orderedCandidates.length : shorterNameIndex, 0, candidate)
  }
  return orderedCandidates
}

/** Minimum length of a joined name that matches a series without a year. */
const MIN_JOINED_LENGTH = 3

/**
 * Finds the title of a file whose name differs from that of the title only by spaces and symbols: "FaceOff" for
 * "Face/Off", "MASH" for "M*A*S*H". The year must be equal. Without a year, the name of a series must be unique, and a
 * movie is only suggested.
 */
function matchJoinedName(
  catalogue: CatalogueLookup,
  kind: FileMatch['kind'],
  candidates: readonly FoldedCandidate[],
  isPossibleTitle: (title: MatchableTitle) => boolean,
): FileTitleMatch {
  const suggestedTitles: MatchableTitle[] = []
  for (const { foldedName, year, isUncertain } of candidates) {
    const namedTitles = catalogue.findByJoinedName(kind, foldedName).filter(isPossibleTitle)
    const isCertain =
      year !== null || (kind === 'tv' && !isUncertain && foldedName.length >= MIN_JOINED_LENGTH)
    const likelyTitles = namedTitles.filter((title) => year === null || title.year === year)
    if (isCertain && likelyTitles.length > 1)
      return createUnmatchedResult('ambiguous', listTitleIds(likelyTitles))
    if (isCertain && likelyTitles[0]) return createMatch('name', likelyTitles[0])
    suggestedTitles.push(...namedTitles)
  }
  return createUnmatchedResult('no_title', listTitleIds(suggestedTitles))
}
