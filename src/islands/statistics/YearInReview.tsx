import { useMemo, useState } from 'react'
import { Download, Share2 } from '../../icons/index.ts'
import { formatNumber, t } from '../../lib/i18n/t.ts'
import type { Statistics } from '../../lib/stores/statistics.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { listPeriodRows } from './plot-rows.ts'
import { listReviewSlides, type ReviewSlide } from './review-slides.ts'
import {
  drawPng,
  PICTURE_HEIGHT_PX,
  PICTURE_WIDTH_PX,
  readPictureColours,
  renderPicture,
  toDataUrl,
} from './share-picture.ts'
import { listTotals } from './Totals.tsx'

interface Props {
  statistics: Statistics
  /** The year of the review; null for all time. */
  year: number | null
  onClose: () => void
}

/** The review of a year: one fact per slide, and at the end an image to save or to share. */
export default function YearInReview({ statistics, year, onClose }: Props) {
  const slides = useMemo(() => listReviewSlides(statistics), [statistics])
  const [index, setIndex] = useState(0)
  const title = year === null ? t('statistics:review') : t('statistics:reviewOfYear', { year: String(year) })
  const slide = slides[index]
  const slideCount = slides.length + 1
  return (
    <Dialog isWide title={title} closeLabel={t('common:close')} onClose={onClose}>
      <div aria-live="polite" className="flex min-h-[min(26rem,55dvh)] flex-col justify-center">
        {slide ? <Slide slide={slide} /> : <SharePicture statistics={statistics} year={year} title={title} />}
      </div>
      <div className="flex items-center justify-between gap-3">
        <Button aria-disabled={index === 0} onClick={() => setIndex(index - 1)}>
          {t('common:back')}
        </Button>
        <span className="numbers text-sm text-muted">
          <bdi>{`${formatNumber(index + 1)} / ${formatNumber(slideCount)}`}</bdi>
        </span>
        {slide ? (
          <Button data-first variant="primary" onClick={() => setIndex(index + 1)}>
            {t('common:next')}
          </Button>
        ) : (
          <Button onClick={onClose}>{t('common:done')}</Button>
        )}
      </div>
    </Dialog>
  )
}

function Slide({ slide: { name, value, details } }: { slide: ReviewSlide }) {
  return (
    <div className="flex flex-col items-center gap-4 text-center">
      <p className="text-lg text-muted">{name}</p>
      <p className="numbers text-2xl font-black wrap-anywhere text-accent md:text-3xl">
        <bdi>{value}</bdi>
      </p>
      <ul className="flex flex-col gap-1 text-lg">
        {details.map((detail) => (
          <li key={detail}>
            <bdi>{detail}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

function SharePicture({ statistics, year, title }: Omit<Props, 'onClose'> & { title: string }) {
  const svg = useMemo(
    () =>
      renderPicture(
        {
          siteName: document.querySelector<HTMLMetaElement>('meta[name=site-name]')?.content ?? '',
          heading: title,
          facts: listTotals(statistics),
          listHeading: t('statistics:topTitles'),
          listItems: statistics.titles.map(({ media }) => media.title),
          minutesPerPeriod: listPeriodRows(statistics, year).map(({ minutes }) => minutes),
        },
        readPictureColours(),
      ),
    [statistics, year, title],
  )
  const fileName = `${year ?? 'all'}.png`
  const runWithPicture = async (pictureAction: (picture: File) => Promise<void> | void) => {
    try {
      await pictureAction(new File([await drawPng(svg)], fileName, { type: 'image/png' }))
    } catch (error) {
      // If the user closes the share dialog of the system, no error is shown.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        showToast('statistics:pictureFailed', { kind: 'bad' })
    }
  }
  const canShare = navigator.canShare?.({ files: [new File([], fileName, { type: 'image/png' })] }) ?? false
  return (
    <div className="flex flex-col items-center gap-4">
      <img
        src={toDataUrl(svg)}
        width={PICTURE_WIDTH_PX}
        height={PICTURE_HEIGHT_PX}
        alt={t('statistics:pictureOf', { title })}
        className="max-h-[50dvh] w-auto rounded-md border border-line"
      />
      <div className="flex flex-wrap justify-center gap-3">
        <Button
          variant="primary"
          icon={<Download aria-hidden size={18} />}
          onClick={() => void runWithPicture(savePicture)}
        >
          {t('statistics:savePicture')}
        </Button>
        {canShare && (
          <Button
            icon={<Share2 aria-hidden size={18} />}
            onClick={() => void runWithPicture((picture) => navigator.share({ files: [picture], title }))}
          >
            {t('statistics:sharePicture')}
          </Button>
        )}
      </div>
    </div>
  )
}

function savePicture(picture: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(picture)
  link.download = picture.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
