/** Finds subtitle files of a video: next to it with a matching name, or in a `Subs` folder. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { classifyFile } from './classify-file.ts'
import { parseEpisodeName } from './episode-name.ts'
import { isExtraFile } from './extras.ts'
import { type FolderTree, joinPath } from './folder-tree.ts'
import { getFileExtension, removeFileExtension, SUBTITLE_EXTENSIONS } from './media-types.ts'
import {
  formatSubtitleLabel,
  getLanguageWords,
  isSubtitleDescription,
  isSubtitleFolder,
  parseSubtitleName,
  type SubtitleName,
} from './subtitle-name.ts'

export interface SubtitleFile extends SubtitleName {
  path: string
  label: string
}

const isSubtitle = (name: string) => SUBTITLE_EXTENSIONS.includes(getFileExtension(name))
/**
 * Returns the normalised name without its extension. macOS writes accents as separate characters and other systems do
 * not, so without the normalisation, a subtitle would not match a video of the same name.
 */
const getStem = (name: string) => removeFileExtension(name).normalize('NFC')

/**
 * Returns at most 60 subtitles of a video: first the regular ones, then those for the hard of hearing, then the forced
 * ones.
 */
export function findSubtitleFiles(tree: FolderTree, videoPath: string): SubtitleFile[] {
  const slashIndex = videoPath.lastIndexOf('/')
  const videoFolderPath = videoPath.slice(0, Math.max(slashIndex, 0))
  const videoName = videoPath.slice(slashIndex + 1)
  const stem = getStem(videoName)
  const folder = tree.get(videoFolderPath)
  if (!folder) return []
  const isVideo = (name: string) => !isSubtitle(name) && getFileExtension(name) !== 'nfo'
  const isExtra = (name: string) => isExtraFile(joinPath(videoFolderPath, name))
  const otherVideos = folder.files.filter((name) => name !== videoName && isVideo(name))
  const movieName = getMovieName(videoPath)
  const isOtherVersion = (name: string) =>
    movieName !== null && getMovieName(joinPath(videoFolderPath, name)) === movieName
  const isOnlyTitle = folder.isHlsStream || otherVideos.every((name) => isExtra(name) || isOtherVersion(name))
  const belongsToOtherVideo = (name: string) =>
    otherVideos.some((otherName) => findExactSuffix(name, getStem(otherName)) !== null)
  const hasEpisodeOfVideo = createEpisodeCheck(stem)
  /**
   * True if a subtitle belongs to the video although its name does not start with the name of the video. There are two
   * conditions. The name must not start with the name of another video. And either all other videos of the folder are
   * extras or versions of the same movie, or the subtitle states the episode of the video.
   */
  const belongsToVideo = (name: string) =>
    (isOnlyTitle || hasEpisodeOfVideo(getStem(name))) && !belongsToOtherVideo(name)
  const sidecars: SubtitleFile[] = []
  const addSidecar = (folderPath: string, name: string, suffix: string) => {
    const parsedName = parseSubtitleName(suffix)
    sidecars.push({ ...parsedName, path: joinPath(folderPath, name), label: formatSubtitleLabel(parsedName) })
  }
  for (const name of folder.files.filter(isSubtitle)) {
    const suffix = findSubtitleSuffix(name, stem)
    if (suffix !== null) addSidecar(videoFolderPath, name, suffix)
    else if (belongsToVideo(name)) addSidecar(videoFolderPath, name, getLanguageWords(getStem(name)))
  }
  for (const subtitleFolderName of folder.folders.filter(isSubtitleFolder)) {
    const subtitleFolderPath = joinPath(videoFolderPath, subtitleFolderName)
    for (const name of tree.get(subtitleFolderPath)?.files.filter(isSubtitle) ?? []) {
      const suffix = findSubtitleSuffix(name, stem)
      if (suffix !== null || belongsToVideo(name))
        addSidecar(subtitleFolderPath, name, suffix ?? getLanguageWords(getStem(name)))
    }
    for (const languageFolderName of tree.get(subtitleFolderPath)?.folders ?? []) {
      const isNamedLikeVideo = foldSearchText(languageFolderName) === foldSearchText(stem)
      if (isNamedLikeVideo || !isSubtitleDescription(languageFolderName)) continue
      const languageFolderPath = joinPath(subtitleFolderPath, languageFolderName)
      for (const name of tree.get(languageFolderPath)?.files.filter(isSubtitle) ?? []) {
        const suffix = findSubtitleSuffix(name, stem)
        if (suffix !== null || belongsToVideo(name))
          addSidecar(languageFolderPath, name, `${languageFolderName}.${suffix ?? ''}`)
      }
    }
    const videoFolderName = tree
      .get(subtitleFolderPath)
      ?.folders.find((name) => foldSearchText(name) === foldSearchText(stem))
    if (videoFolderName)
      for (const name of tree.get(joinPath(subtitleFolderPath, videoFolderName))?.files.filter(isSubtitle) ??
        [])
        addSidecar(joinPath(subtitleFolderPath, videoFolderName), name, getStem(name))
  }
  return sidecars
    .sort(
      (a, b) =>
        getSubtitleRank(a) - getSubtitleRank(b) ||
        a.lang.localeCompare(b.lang) ||
        a.path.localeCompare(b.path),
    )
    .slice(0, 60)
}

/** Returns the title and year of a movie, to recognise its versions; null without a year and for other videos. */
function getMovieName(path: string): string | null {
  const file = classifyFile(path)
  const [candidate] = file?.candidates ?? []
  return file?.kind === 'movie' && candidate && candidate.year !== null
    ? `${foldSearchText(candidate.title)} ${candidate.year}`
    : null
}

/**
 * Returns a function that is true for the name of a subtitle with the same episode as the video: "Show - 1x02.ar" and
 * "S01E02" for "Show.S01E02.1080p". The name of another series is not accepted. The function is also false for a name
 * that begins with the whole name of the video, because `findSubtitleSuffix` handles such a name.
 */
function createEpisodeCheck(videoStem: string): (subtitleStem: string) => boolean {
  const video = parseEpisodeName(videoStem, null)
  if (!video || video.episodes.length === 0) return () => false
  return (subtitleStem) => {
    if (subtitleStem.toLowerCase().startsWith(videoStem.toLowerCase())) return false
    const subtitle = parseEpisodeName(subtitleStem, null)
    const seriesName = foldSearchText(subtitle?.textBefore ?? '')
    return (
      subtitle?.season === video.season &&
      subtitle.episodes.join() === video.episodes.join() &&
      (seriesName === '' || seriesName === foldSearchText(video.textBefore))
    )
  }
}

const getSubtitleRank = (subtitle: SubtitleName) => (subtitle.forced ? 2 : subtitle.sdh ? 1 : 0)

/**
 * Returns the part of a subtitle name after the name of the video, or after the name of the movie without the version
 * (`findVersionSuffix`). Returns null when the subtitle name starts with neither, or when the part after the name does
 * not begin with a dot and does not describe a subtitle (`findDescriptionAfter`).
 */
const findSubtitleSuffix = (name: string, stem: string): string | null =>
  findExactSuffix(name, stem) ??
  findVersionSuffix(getStem(name), stem.toLowerCase()) ??
  findDescriptionAfter(getStem(name), stem)

const YEAR_OR_EPISODE_PATTERN = /[([]\d{4}[)\]]|s\d+e\d+/i

/**
 * Returns the part of a subtitle name after the name of the video, if it begins with a separator other than a dot and
 * describes a subtitle: "_en" of "Dark S01E01_en", " [French]" of "Heat (1995) [French]". Returns null for other texts.
 * Also returns null if the name of the video has neither a year nor an episode, because the text may then belong to the
 * title of another movie.
 */
function findDescriptionAfter(subtitleStem: string, videoStem: string): string | null {
  if (!YEAR_OR_EPISODE_PATTERN.test(videoStem)) return null
  if (!subtitleStem.toLowerCase().startsWith(videoStem.toLowerCase())) return null
  const suffix = subtitleStem.slice(videoStem.length)
  return /^[\s_([-]/.test(suffix) && isSubtitleDescription(suffix) ? suffix : null
}

/** Like `findSubtitleSuffix`, but only for a subtitle name that starts with the complete name of the video. */
function findExactSuffix(name: string, stem: string): string | null {
  const [lowerStem, lowerVideoStem] = [getStem(name).toLowerCase(), stem.toLowerCase()]
  if (lowerStem === lowerVideoStem) return ''
  return lowerStem.startsWith(`${lowerVideoStem}.`) ? lowerStem.slice(lowerVideoStem.length + 1) : null
}

/**
 * Like `findSubtitleSuffix`, for a version of a movie: "Heat (1995).en.srt" also belongs to "Heat (1995) - 1080p.mkv".
 */
function findVersionSuffix(subtitleStem: string, videoStem: string): string | null {
  const stemParts = subtitleStem.split('.')
  for (let partCount = stemParts.length; partCount > 0 && partCount > stemParts.length - 4; partCount--) {
    const baseStem = stemParts.slice(0, partCount).join('.').toLowerCase()
    const hasYearOrEpisode = YEAR_OR_EPISODE_PATTERN.test(baseStem)
    if (
      hasYearOrEpisode &&
      videoStem.startsWith(baseStem) &&
      /^[ .]?[-[({. ]/.test(videoStem.slice(baseStem.length))
    )
      return stemParts.slice(partCount).join('.')
  }
  return null
}
