import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { getCurrentDirection, t } from '../../lib/i18n/t.ts'
import {
  CAPTION_BACKGROUNDS,
  CAPTION_COLOURS,
  CAPTION_EDGES,
  CAPTION_SIZES,
  LONG_CAPTION_DELAY_STEP_SECONDS,
  SHORT_CAPTION_DELAY_STEP_SECONDS,
} from '../../lib/rules/player-captions.ts'
import { $captionPreferences, saveCaptionPreferences } from '../../lib/stores/captions.ts'
import type { ReadyPlayerState } from '../../lib/stores/player.ts'
import { isTelevision } from '../../ui/is-television.ts'
import { CaptionFileButton } from './CaptionFileButton.tsx'
import { $captionDrawingState, type CaptionDrawingState } from './caption-drawing.ts'
import { formatCaptionDelay } from './format-caption-delay.ts'
import { Panel } from './Panel.tsx'
import { RadioGroup } from './RadioGroup.tsx'
import {
  $activeCaption,
  $captionDelaySeconds,
  $openedCaption,
  changeCaptionDelay,
  listAudioTracks,
  resetCaptionDelay,
  selectCaption,
} from './tracks.ts'

/**
 * Panel for subtitles and sound: the tracks, a subtitle file of the device, and the delay and style of
 * subtitles.
 */
export function CaptionPanel({ readyPlayer }: { readyPlayer: ReadyPlayerState }) {
  const activeCaption = useStore($activeCaption)
  const openedCaption = useStore($openedCaption)
  const drawing = useStore($captionDrawingState)
  const [, setRenderCount] = useState(0)
  const audioTracks = listAudioTracks()
  const captions = [...readyPlayer.stream.subtitles, ...(openedCaption ? [openedCaption] : [])]
  const activeIndex = activeCaption ? captions.indexOf(activeCaption) : -1
  return (
    <Panel label={t('watch:captions')}>
      <div className={audioTracks.length > 1 ? 'grid gap-2 sm:grid-cols-2' : ''}>
        <RadioGroup
          label={t('watch:captions')}
          value={String(activeIndex)}
          options={[
            { value: '-1', label: t('watch:off') },
            ...captions.map(({ lang, label }, index) => ({
              value: String(index),
              label,
              ...(lang !== 'und' && { lang }),
            })),
          ]}
          onChange={(index) => selectCaption(captions[Number(index)] ?? null)}
        />
        {audioTracks.length > 1 && (
          <RadioGroup
            label={t('watch:audio')}
            value={audioTracks.find((track) => track.isSelected)?.id ?? ''}
            options={audioTracks.map(({ id, label, lang, note }) => ({ value: id, label, lang, note }))}
            onChange={(id) => {
              audioTracks.find((track) => track.id === id)?.select()
              setRenderCount((renderCount) => renderCount + 1)
            }}
          />
        )}
      </div>
      {!isTelevision() && <CaptionFileButton playerKey={readyPlayer.key} />}
      {captions.length > 0 && (
        <div className="mt-3 flex flex-col gap-2 border-t border-line px-3 pt-3">
          {activeCaption && drawing === 'failed' && (
            <p role="alert" className="text-sm text-danger">
              {t('watch:captions_failed')}
            </p>
          )}
          {activeCaption && drawing !== 'burnt_in' && <CaptionDelay />}
          <CaptionStyleOptions drawing={activeCaption && drawing} />
        </div>
      )}
    </Panel>
  )
}

const DELAY_STEPS_SECONDS = [
  -LONG_CAPTION_DELAY_STEP_SECONDS,
  -SHORT_CAPTION_DELAY_STEP_SECONDS,
  SHORT_CAPTION_DELAY_STEP_SECONDS,
  LONG_CAPTION_DELAY_STEP_SECONDS,
]
const CONTROL_CLASS =
  'min-h-9 rounded-md border border-line px-3 text-sm hover:bg-white/10 pointer-coarse:min-h-11'

function CaptionDelay() {
  const delaySeconds = useStore($captionDelaySeconds)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in one line with its legend
    <div role="group" aria-label={t('watch:captionDelay')} className="flex flex-wrap items-center gap-x-3">
      <p className="w-24 shrink-0 text-sm text-muted">{t('watch:captionDelay')}</p>
      <output className="numbers min-w-16 text-center text-sm">{formatCaptionDelay(delaySeconds)}</output>
      <div className="flex flex-wrap items-center gap-1">
        {/* Like the timeline, the steps run from left to right. The text of each step has the direction of the
            page. */}
        <div dir="ltr" className="flex gap-1">
          {DELAY_STEPS_SECONDS.map((delayStep) => (
            <button
              key={delayStep}
              type="button"
              dir={getCurrentDirection()}
              onClick={() => changeCaptionDelay(delayStep)}
              className={`numbers ${CONTROL_CLASS}`}
            >
              {formatCaptionDelay(delayStep)}
              <span className="sr-only">
                {' '}
                {t(delayStep < 0 ? 'watch:captionsEarlier' : 'watch:captionsLater')}
              </span>
            </button>
          ))}
        </div>
        {delaySeconds !== 0 && (
          <button type="button" onClick={resetCaptionDelay} className={CONTROL_CLASS}>
            {t('watch:captionDelayReset')}
          </button>
        )}
      </div>
    </div>
  )
}

/**
 * Options for the style of subtitles. The size also applies to styled subtitles. Colour, background and edge
 * apply only to plain text. Picture subtitles and burnt-in subtitles have no options.
 */
function CaptionStyleOptions({ drawing }: { drawing: CaptionDrawingState | null }) {
  const captionPreferences = useStore($captionPreferences)
  if (drawing === 'pictures' || drawing === 'burnt_in')
    return <p className="text-sm text-muted">{t('watch:captionsArePictures')}</p>
  return (
    <>
      <RadioGroup
        isInline
        label={t('watch:captionSize')}
        value={captionPreferences.size}
        options={CAPTION_SIZES.map((value) => ({ value, label: t(`watch:size_${value}`) }))}
        onChange={(size) => saveCaptionPreferences({ size })}
      />
      {drawing === 'styled' ? (
        <p className="text-sm text-muted">{t('watch:captionsAreStyled')}</p>
      ) : (
        <TextStyleOptions />
      )}
    </>
  )
}

function TextStyleOptions() {
  const captionPreferences = useStore($captionPreferences)
  return (
    <>
      <RadioGroup
        isInline
        label={t('watch:captionColor')}
        value={captionPreferences.color}
        options={CAPTION_COLOURS.map((value) => ({ value, label: t(`watch:color_${value}`) }))}
        onChange={(color) => saveCaptionPreferences({ color })}
      />
      <RadioGroup
        isInline
        label={t('watch:captionBackground')}
        value={captionPreferences.background}
        options={CAPTION_BACKGROUNDS.map((value) => ({ value, label: t(`watch:background_${value}`) }))}
        onChange={(background) => saveCaptionPreferences({ background })}
      />
      <RadioGroup
        isInline
        label={t('watch:captionEdge')}
        value={captionPreferences.edge}
        options={CAPTION_EDGES.map((value) => ({ value, label: t(`watch:edge_${value}`) }))}
        onChange={(edge) => saveCaptionPreferences({ edge })}
      />
    </>
  )
}
