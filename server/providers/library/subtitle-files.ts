/** Finds subtitle files of a video: next to it with a matching name, or in a `Subs` folder. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { type FolderTree, joinPath, SUBTITLE_FOLDER } from './folder-tree.ts'
import { getFileExtension, SUBTITLE_EXTENSIONS } from './media-types.ts'
import { formatSubtitleLabel, parseSubtitleName, type SubtitleName } from './subtitle-name.ts'

export interface SubtitleFile extends SubtitleName {
  path: string
  label: string
}

const isSubtitle = (name: string) => SUBTITLE_EXTENSIONS.includes(getFileExtension(name))
const removeExtension = (name: string) => name.slice(0, -getFileExtension(name).length - 1)

/** Returns the subtitles of a video: first regular ones, then those for the hard of hearing, then forced ones. */
export function findSubtitleFiles(tree: FolderTree, video: string): SubtitleFile[] {
  const slash = video.lastIndexOf('/')
  const path = video.slice(0, Math.max(slash, 0))
  const stem = removeExtension(video.slice(slash + 1))
  const folder = tree.get(path)
  if (!folder) return []
  const isOnlyVideo =
    folder.isHlsStream ||
    folder.files.filter((name) => !isSubtitle(name) && getFileExtension(name) !== 'nfo').length === 1
  const sidecars: SubtitleFile[] = []
  const addSidecar = (folderPath: string, name: string, suffix: string) => {
    const parsedName = parseSubtitleName(suffix)
    sidecars.push({ ...parsedName, path: joinPath(folderPath, name), label: formatSubtitleLabel(parsedName) })
  }
  for (const name of folder.files.filter(isSubtitle)) {
    const suffix = findSuffix(name, stem)
    if (suffix !== null) addSidecar(path, name, suffix)
    else if (isOnlyVideo) addSidecar(path, name, getLastWords(removeExtension(name)))
  }
  for (const subs of folder.folders.filter((name) => SUBTITLE_FOLDER.test(name))) {
    const subtitleFolder = joinPath(path, subs)
    for (const name of tree.get(subtitleFolder)?.files.filter(isSubtitle) ?? []) {
      const suffix = findSuffix(name, stem)
      if (suffix !== null || isOnlyVideo)
        addSidecar(subtitleFolder, name, suffix ?? getLastWords(removeExtension(name)))
    }
    const videoFolder = tree
      .get(subtitleFolder)
      ?.folders.find((name) => foldSearchText(name) === foldSearchText(stem))
    if (videoFolder)
      for (const name of tree.get(joinPath(subtitleFolder, videoFolder))?.files.filter(isSubtitle) ?? [])
        addSidecar(joinPath(subtitleFolder, videoFolder), name, removeExtension(name))
  }
  return sidecars
    .sort((a, b) => getRank(a) - getRank(b) || a.lang.localeCompare(b.lang) || a.path.localeCompare(b.path))
    .slice(0, 60)
}

const getRank = (subtitle: SubtitleName) => (subtitle.forced ? 2 : subtitle.sdh ? 1 : 0)

/** Returns the part of a subtitle name after the video's name; null when the subtitle belongs to another video. */
function findSuffix(name: string, stem: string): string | null {
  const subtitleStem = removeExtension(name)
  const [lowerStem, video] = [subtitleStem.toLowerCase(), stem.toLowerCase()]
  if (lowerStem === video) return ''
  if (lowerStem.startsWith(`${video}.`)) return subtitleStem.slice(stem.length + 1)
  return findVersionSuffix(subtitleStem, video)
}

/** Like `findSuffix`, for a version of a movie: "Heat (1995).en.srt" also belongs to "Heat (1995) - 1080p.mkv". */
function findVersionSuffix(subtitleStem: string, video: string): string | null {
  const parts = subtitleStem.split('.')
  for (let count = parts.length; count > 0 && count > parts.length - 4; count--) {
    const base = parts.slice(0, count).join('.').toLowerCase()
    const isSpecific = /[([]\d{4}[)\]]|s\d+e\d+/.test(base)
    if (isSpecific && video.startsWith(base) && /^[ .]?[-[({. ]/.test(video.slice(base.length)))
      return parts.slice(count).join('.')
  }
  return null
}

/**
 * Returns the last words of a name. When the name does not match the video, only its end may state a language: "This
 * Is It" is neither Icelandic nor Italian.
 */
function getLastWords(stem: string): string {
  const words = stem.split(/[._ ]+/)
  const endsWithKind = /^(?:forced|sdh|cc|hi)$/i.test(words.at(-1) ?? '')
  return words.slice(endsWithKind ? -2 : -1).join('.')
}
