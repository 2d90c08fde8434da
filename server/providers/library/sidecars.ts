/** Subtitles that lie beside a video: by its name, or in a `Subs` folder. */
import { fold } from '../../../src/lib/rules/fold.ts'
import { extensionOf } from './media-types.ts'
import { readSubtitleName, type SubtitleName, subtitleLabel } from './subtitle-name.ts'
import { type Tree, under } from './tree.ts'

export interface Sidecar extends SubtitleName {
  path: string
  label: string
}

const SUBTITLE_FOLDER = /^(?:subs|subtitles|subtitle)$/i
const isSubtitle = (name: string) => ['srt', 'vtt'].includes(extensionOf(name))
const stemOf = (name: string) => name.slice(0, -extensionOf(name).length - 1)

/** Plain ones first, then forced and for the deaf; a language named twice keeps both. */
export function sidecarsOf(tree: Tree, video: string): Sidecar[] {
  const at = video.lastIndexOf('/')
  const path = video.slice(0, Math.max(at, 0))
  const stem = stemOf(video.slice(at + 1))
  const folder = tree.get(path)
  if (!folder) return []
  const alone =
    folder.hls || folder.files.filter((name) => !isSubtitle(name) && extensionOf(name) !== 'nfo').length === 1
  const found: Sidecar[] = []
  const take = (where: string, name: string, rest: string) => {
    const read = readSubtitleName(rest)
    found.push({ ...read, path: under(where, name), label: subtitleLabel(read) })
  }
  for (const name of folder.files.filter(isSubtitle)) {
    const rest = restOf(name, stem)
    if (rest !== null) take(path, name, rest)
    else if (alone) take(path, name, lastWords(stemOf(name)))
  }
  for (const subs of folder.folders.filter((name) => SUBTITLE_FOLDER.test(name))) {
    const where = under(path, subs)
    for (const name of tree.get(where)?.files.filter(isSubtitle) ?? []) {
      const rest = restOf(name, stem)
      if (rest !== null || alone) take(where, name, rest ?? lastWords(stemOf(name)))
    }
    const own = tree.get(where)?.folders.find((name) => fold(name) === fold(stem))
    if (own)
      for (const name of tree.get(under(where, own))?.files.filter(isSubtitle) ?? [])
        take(under(where, own), name, stemOf(name))
  }
  return found
    .sort((a, b) => rank(a) - rank(b) || a.lang.localeCompare(b.lang) || a.path.localeCompare(b.path))
    .slice(0, 60)
}

const rank = (one: SubtitleName) => (one.forced ? 2 : one.sdh ? 1 : 0)

/** What a subtitle's name has beyond its video's; null when it is another video's. */
function restOf(name: string, stem: string): string | null {
  const own = stemOf(name)
  const [small, video] = [own.toLowerCase(), stem.toLowerCase()]
  if (small === video) return ''
  if (small.startsWith(`${video}.`)) return own.slice(stem.length + 1)
  return restOfVersion(own, video)
}

/** "Heat (1995).en.srt" is for "Heat (1995) - 1080p.mkv", too. */
function restOfVersion(own: string, video: string): string | null {
  const parts = own.split('.')
  for (let kept = parts.length; kept > 0 && kept > parts.length - 4; kept--) {
    const base = parts.slice(0, kept).join('.').toLowerCase()
    const tells = /[([]\d{4}[)\]]|s\d+e\d+/.test(base)
    if (tells && video.startsWith(base) && /^[ .]?[-[({. ]/.test(video.slice(base.length)))
      return parts.slice(kept).join('.')
  }
  return null
}

/** Of a name that is not its video's, only the end may name a language: "This Is It" is neither Icelandic nor Italian. */
function lastWords(stem: string): string {
  const words = stem.split(/[._ ]+/)
  const kind = /^(?:forced|sdh|cc|hi)$/i.test(words.at(-1) ?? '')
  return words.slice(kind ? -2 : -1).join('.')
}
