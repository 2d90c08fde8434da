import { ArrowLeft, Info, Keyboard } from 'lucide-react'
import { t } from '../../lib/i18n/t.ts'
import type { Ready } from '../../lib/stores/player.ts'
import { openPanel } from './controls.ts'
import { Knob } from './Knob.tsx'
import { leaveByLink } from './leave.ts'
import { backHref } from './next.ts'

export function TopBar({ ready: { media, episode } }: { ready: Ready }) {
  return (
    <div data-top className="edge pt-[max(1rem,env(safe-area-inset-top))] text-white">
      <div className="-mx-2.5 flex items-center gap-3">
        <a
          href={backHref()}
          onClick={leaveByLink}
          aria-label={t('common:back')}
          title={t('common:back')}
          className="pointer-events-auto grid size-11 shrink-0 place-items-center rounded-full hover:bg-white/15 focus-visible:bg-white/15"
        >
          <ArrowLeft aria-hidden className="rtl:-scale-x-100" />
        </a>
        <h1 className="min-w-0 grow">
          <bdi className="block truncate text-lg font-bold">{media.title}</bdi>
          {episode && (
            <span className="block truncate text-sm text-white/80">
              <span className="numbers">
                {t('common:episodeCode', { season: episode.season_number, episode: episode.episode_number })}
              </span>
              {episode.title && (
                <>
                  {' · '}
                  <bdi>{episode.title}</bdi>
                </>
              )}
            </span>
          )}
        </h1>
        <Knob label={t('watch:info')} aria-haspopup="dialog" onClick={() => openPanel('info')}>
          <Info aria-hidden />
        </Knob>
        <Knob
          label={t('watch:keys')}
          aria-haspopup="dialog"
          onClick={() => openPanel('keys')}
          className="max-md:hidden!"
        >
          <Keyboard aria-hidden />
        </Knob>
      </div>
    </div>
  )
}
