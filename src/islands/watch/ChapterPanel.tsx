import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { StreamInfo } from '../../lib/contract/playback.ts'
import { formatDigitalDuration } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { findChapterIndex } from '../../lib/rules/chapters.ts'
import { Name } from '../media/Name.tsx'
import { getChapterTitle } from './chapter-titles.ts'
import { $openPanel, togglePanel } from './controls.ts'
import { Panel } from './Panel.tsx'
import { $positionSeconds, seekTo } from './video-element.ts'

/** List of the chapters. Pressing a chapter seeks to its start. */
export function ChapterPanel({ chapters }: { chapters: NonNullable<StreamInfo['chapters']> }) {
  const positionSeconds = useStore($positionSeconds)
  // Closes the panel on unmount. The next episode may have no chapters, and a panel that counts as open would
  // keep the controls visible.
  useEffect(() => () => void ($openPanel.get() === 'chapters' && togglePanel(null)), [])
  const currentIndex = findChapterIndex(chapters, positionSeconds)
  return (
    <Panel label={t('watch:chapters')}>
      <h2 className="px-3 pb-1 text-sm text-muted">{t('watch:chapters')}</h2>
      <ol className="flex flex-col">
        {chapters.map(({ start }, index) => (
          <li key={start}>
            <button
              type="button"
              aria-current={index === currentIndex}
              onClick={() => {
                seekTo(start)
                togglePanel(null)
              }}
              className="flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-start hover:bg-white/10 aria-[current=true]:bg-overlay"
            >
              <Name text={getChapterTitle(chapters, index)} className="min-w-0 grow" />
              <span className="numbers shrink-0 text-sm text-muted">{formatDigitalDuration(start)}</span>
            </button>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
