import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatNumber, t } from '../../lib/i18n/t.ts'
import { CAPTION_BACKGROUNDS, CAPTION_COLORS, CAPTION_SIZES } from '../../lib/rules/player-captions.ts'
import { RATES } from '../../lib/rules/player-keys.ts'
import { $captionMemory, rememberCaptions } from '../../lib/stores/captions.ts'
import type { Ready } from '../../lib/stores/player.ts'
import { Choices } from './Choices.tsx'
import { $panel } from './controls.ts'
import { $rate, setRate } from './deck.ts'
import { $qualities, $source, $wish, setQuality } from './source.ts'
import { $caption, audioChoices, chooseCaption } from './tracks.ts'

/** What opens over the bottom bar. The focus goes in, and back to its button when it closes. */
function Panel({ label, children }: { label: string; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    root.current?.querySelector<HTMLElement>('[aria-checked=true]')?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <section
      ref={root}
      aria-label={label}
      data-controls
      className="absolute end-(--edge) bottom-32 z-10 max-h-[calc(100%-11rem)] w-[min(36rem,calc(100%-2*var(--edge)))] overflow-y-auto rounded-lg border border-line bg-raised p-3 text-ink shadow-(--shadow-dialog) animate-[rise_150ms_var(--ease-out)]"
    >
      {children}
    </section>
  )
}

export function Panels({ ready }: { ready: Ready }) {
  const panel = useStore($panel)
  if (panel === 'captions') return <CaptionPanel ready={ready} />
  if (panel === 'settings') return <SettingsPanel />
  return null
}

function SettingsPanel() {
  const wish = useStore($wish)
  const qualities = useStore($qualities)
  const source = useStore($source)
  const rate = useStore($rate)
  const auto =
    wish === 'auto' && source && qualities.includes(source.quality)
      ? t('watch:autoNow', { quality: source.quality })
      : t('watch:auto')
  const chosen = wish === 'auto' || qualities.includes(wish) ? wish : (source?.quality ?? 'auto')
  return (
    <Panel label={t('watch:settings')}>
      <div className="grid grid-cols-2 gap-2">
        <Choices
          label={t('watch:quality')}
          value={chosen}
          options={[{ value: 'auto', label: auto }, ...qualities.map((value) => ({ value, label: value }))]}
          onChange={setQuality}
        />
        <Choices
          label={t('watch:speed')}
          value={String(rate)}
          options={RATES.map((one) => ({
            value: String(one),
            label: one === 1 ? t('watch:normalSpeed') : `${formatNumber(one)}×`,
          }))}
          onChange={(value) => setRate(Number(value))}
        />
      </div>
    </Panel>
  )
}

function CaptionPanel({ ready }: { ready: Ready }) {
  const caption = useStore($caption)
  const [, redraw] = useState(0)
  const audio = audioChoices()
  const off = { value: '', label: t('watch:off') }
  const { subtitles } = ready.stream
  return (
    <Panel label={t('watch:captions')}>
      <div className={audio.length > 1 ? 'grid grid-cols-2 gap-2' : ''}>
        <Choices
          label={t('watch:captions')}
          value={caption?.lang ?? ''}
          options={[off, ...subtitles.map(({ lang, label }) => ({ value: lang, label, lang }))]}
          onChange={(lang) => chooseCaption(lang || null)}
        />
        {audio.length > 1 && (
          <Choices
            label={t('watch:audio')}
            value={audio.find((one) => one.chosen)?.id ?? ''}
            options={audio.map(({ id, label }) => ({ value: id, label }))}
            onChange={(id) => {
              audio.find((one) => one.id === id)?.choose()
              redraw((count) => count + 1)
            }}
          />
        )}
      </div>
      {subtitles.length > 0 && <CaptionLook />}
    </Panel>
  )
}

function CaptionLook() {
  const memory = useStore($captionMemory)
  return (
    <div className="mt-3 flex flex-col gap-2 border-t border-line px-3 pt-3">
      <Choices
        line
        label={t('watch:captionSize')}
        value={memory.size}
        options={CAPTION_SIZES.map((value) => ({ value, label: t(`watch:size_${value}`) }))}
        onChange={(size) => rememberCaptions({ size })}
      />
      <Choices
        line
        label={t('watch:captionColor')}
        value={memory.color}
        options={CAPTION_COLORS.map((value) => ({ value, label: t(`watch:color_${value}`) }))}
        onChange={(color) => rememberCaptions({ color })}
      />
      <Choices
        line
        label={t('watch:captionBackground')}
        value={memory.background}
        options={CAPTION_BACKGROUNDS.map((value) => ({ value, label: t(`watch:background_${value}`) }))}
        onChange={(background) => rememberCaptions({ background })}
      />
    </div>
  )
}
