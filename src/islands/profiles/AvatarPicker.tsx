import { t } from '../../lib/i18n/t.ts'
import { AVATAR_COUNT } from '../../lib/rules/limits.ts'
import { Avatar } from './Avatar.tsx'

/** Uses as many columns as fit, so that the dialog of a profile fits on a laptop screen without scrolling. */
const GRID_STYLE = { gridTemplateColumns: 'repeat(auto-fill, minmax(2.6rem, 1fr))', gap: '0.375rem' }
const AVATAR_NUMBERS = Array.from({ length: AVATAR_COUNT }, (_, index) => index + 1)

export function AvatarPicker({ value, onChange }: { value: number; onChange: (avatar: number) => void }) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-muted">{t('profiles:chooseAvatar')}</legend>
      <div className="grid" style={GRID_STYLE}>
        {AVATAR_NUMBERS.map((avatarNumber) => (
          <button
            key={avatarNumber}
            type="button"
            aria-pressed={avatarNumber === value}
            aria-label={t('profiles:avatarNumber', { number: avatarNumber })}
            onClick={() => onChange(avatarNumber)}
            className="rounded-md border-3 border-transparent aria-pressed:border-accent"
          >
            <Avatar avatarNumber={avatarNumber} className="w-full" />
          </button>
        ))}
      </div>
    </fieldset>
  )
}
