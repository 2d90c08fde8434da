/**
 * The bundled demo clips (data/demo/clips). With `DEMO=1`, they play for every title. After the operator has added a
 * media source, they play only for titles of the demo catalogue.
 */
import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenedFile, openFileInside } from './library/safe-open.ts'

const CLIPS_DIR = 'data/demo/clips'
/** Languages of the subtitle files in CLIPS_DIR. */
const SUBTITLE_LANGUAGES = [
  ['en', 'English'],
  ['fr', 'Français'],
  ['ar', 'العربية'],
] as const
const CLIP_FILE_PATTERN = new RegExp(
  `^(night-drive|harbour)(-(720|360)p\\.mp4|\\.(${SUBTITLE_LANGUAGES.map(([lang]) => lang).join('|')})\\.vtt)$`,
)

export interface DemoClip {
  sources: { file: string; quality: string; sizeBytes: number }[]
  subtitles: { file: string; lang: string; label: string }[]
  creditsAtSeconds: number
}

function createClip(clipName: string, qualities: string[], creditsAtSeconds: number): DemoClip {
  return {
    sources: qualities.map((quality) => {
      const fileName = `${clipName}-${quality}.mp4`
      return { file: fileName, quality, sizeBytes: statSync(join(CLIPS_DIR, fileName)).size }
    }),
    subtitles: SUBTITLE_LANGUAGES.map(([lang, label]) => ({ file: `${clipName}.${lang}.vtt`, lang, label })),
    creditsAtSeconds,
  }
}

/** Returns the clip for movies or the one for episodes. */
export function findDemoClip(type: 'movie' | 'tv'): DemoClip {
  return type === 'movie'
    ? createClip('night-drive', ['720p', '360p'], 74)
    : createClip('harbour', ['720p'], 55)
}

/** Opens a file of a demo clip, or returns null for any other name. The caller closes the file. */
export async function openDemoClip(fileName: string): Promise<OpenedFile | null> {
  return CLIP_FILE_PATTERN.test(fileName) ? openFileInside(await realpath(CLIPS_DIR), fileName) : null
}
