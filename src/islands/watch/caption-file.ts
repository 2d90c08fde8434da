/** Subtitle files of the viewer's device. They are read in the browser and never sent to the server. */
import { getCurrentLocale } from '../../lib/i18n/t.ts'
import { $deviceCaption } from '../../lib/stores/captions.ts'
import { $player } from '../../lib/stores/player.ts'

/** `unreadable`: the browser could not read the file, for instance because the file was removed. */
export type CaptionFileProblem = 'too_large' | 'not_a_subtitle' | 'unreadable'

/**
 * Shows the subtitles of a file for the movie or episode with this key. Returns the problem if that fails.
 * Returns null on success, and also if another title has been opened since.
 */
export async function openCaptionFile(file: File, playerKey: string): Promise<CaptionFileProblem | null> {
  const { convertToWebVtt, hasCues, MAX_SUBTITLE_BYTES, readAssScript } = await import(
    '../../lib/rules/webvtt.ts'
  )
  if (file.size > MAX_SUBTITLE_BYTES) return 'too_large'
  const fileNameLanguage = parseLanguage(file.name)
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const encodingLanguage = fileNameLanguage ?? getLegacyEncodingLanguage()
    const webVtt = convertToWebVtt(bytes, encodingLanguage)
    if (!hasCues(webVtt)) return 'not_a_subtitle'
    const player = $player.get()
    if (player.status === 'ready' && player.key === playerKey)
      $deviceCaption.set({
        playerKey,
        isSelected: true,
        lang: fileNameLanguage ?? 'und',
        label: file.name,
        webVtt,
        styledScript: readAssScript(bytes, encodingLanguage),
      })
    return null
  } catch {
    return 'unreadable'
  }
}

/**
 * Returns the shortest code of the language in a file name such as `Heat (1995).fra.forced.srt`; undefined if
 * there is none.
 */
function parseLanguage(fileName: string): string | undefined {
  const [, languageCode = ''] = /\.([a-z]{2,3})(?:\.(?:forced|sdh|cc|hi))?\.[a-z]{3}$/i.exec(fileName) ?? []
  const [language] = languageCode ? Intl.getCanonicalLocales(languageCode) : []
  return language && new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(language)
    ? language
    : undefined
}

/**
 * Language for files that are not in Unicode and whose name contains no language. On Arabic pages, such a file is
 * assumed to be Arabic. On other pages, the encoding is guessed from the bytes of the file.
 */
const getLegacyEncodingLanguage = () => (getCurrentLocale() === 'ar' ? 'ar' : undefined)
