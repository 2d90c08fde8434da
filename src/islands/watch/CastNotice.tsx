import { useStore } from '@nanostores/react'
import { Cast } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { $castState } from './display-modes.ts'

/** Informs the viewer that another screen plays the video. While the video is cast, it is not visible here. */
export function CastNotice() {
  const castState = useStore($castState)
  return (
    <div
      role="status"
      className="pointer-events-none absolute inset-x-0 top-1/4 flex flex-col items-center gap-2 px-6 text-center text-white"
    >
      {castState !== 'disconnected' && (
        <>
          <Cast aria-hidden size={48} />
          <p className="text-lg font-bold">
            {t(castState === 'connected' ? 'watch:castConnected' : 'watch:castConnecting')}
          </p>
          {castState === 'connected' && <p>{t('watch:castHint')}</p>}
        </>
      )}
    </div>
  )
}
