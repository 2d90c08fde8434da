import type { StreamInfo } from '../../lib/contract/playback.ts'
import { t } from '../../lib/i18n/t.ts'
import { findChapterIndex } from '../../lib/rules/chapters.ts'

type Chapters = NonNullable<StreamInfo['chapters']>

/**
 * Returns the title of a chapter. If the file has no title for the chapter, returns a title with the number of the
 * chapter.
 */
export const getChapterTitle = (chapters: Chapters, index: number): string =>
  chapters[index]?.title || t('watch:chapterNumber', { number: index + 1 })

/** Returns the title of the chapter at a position; empty if no chapter contains it. */
export function formatChapterTitle(chapters: Chapters | undefined, seconds: number): string {
  const index = chapters ? findChapterIndex(chapters, seconds) : -1
  return chapters && index >= 0 ? getChapterTitle(chapters, index) : ''
}
