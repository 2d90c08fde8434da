/** The demo clips (data/demo/clips, our own): what plays for a title when the operator has no library yet. */
import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenFile, openInside } from './library/confine.ts'

const CLIPS = 'data/demo/clips'
const LANGUAGES = [
  ['en', 'English'],
  ['fr', 'Français'],
  ['ar', 'العربية'],
] as const

export interface Clip {
  sources: { file: string; quality: string; size: number }[]
  subtitles: { file: string; lang: string; label: string }[]
  /** Seconds. */
  creditsAt: number
}

function clip(name: string, qualities: string[], creditsAt: number): Clip {
  return {
    sources: qualities.map((quality) => {
      const file = `${name}-${quality}.mp4`
      return { file, quality, size: statSync(join(CLIPS, file)).size }
    }),
    subtitles: LANGUAGES.map(([lang, label]) => ({ file: `${name}.${lang}.vtt`, lang, label })),
    creditsAt,
  }
}

/** Movies and episodes each have their own. */
export function demoClip(type: 'movie' | 'tv'): Clip {
  return type === 'movie' ? clip('night-drive', ['720p', '360p'], 74) : clip('harbour', ['720p'], 55)
}

/** The clip file that a signed address names; null for anything else. The caller closes it. */
export async function openClip(file: string): Promise<OpenFile | null> {
  const ours = /^(night-drive|harbour)(-(720|360)p\.mp4|\.(en|fr|ar)\.vtt)$/.test(file)
  return ours ? openInside(await realpath(CLIPS), file) : null
}
