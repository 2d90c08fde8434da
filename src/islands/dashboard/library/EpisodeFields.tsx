import { t } from '../../../lib/i18n/t.ts'
import { Field } from '../../../ui/Field.tsx'

interface EpisodeNumbers {
  season: string
  episode: string
}
interface Props {
  numbers: EpisodeNumbers
  onChange: (numbers: EpisodeNumbers) => void
}

/** Fields for the season and episode of a file whose name does not contain them. */
export function EpisodeFields({ numbers, onChange }: Props) {
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field
        label={t('dashboardlibrary:seasonNumber')}
        inputMode="numeric"
        value={numbers.season}
        maxLength={4}
        onChange={(event) => onChange({ ...numbers, season: event.target.value })}
      />
      <Field
        label={t('dashboardlibrary:episodeNumber')}
        inputMode="numeric"
        value={numbers.episode}
        maxLength={5}
        onChange={(event) => onChange({ ...numbers, episode: event.target.value })}
      />
    </div>
  )
}
