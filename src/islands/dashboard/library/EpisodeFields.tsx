import { t } from '../../../lib/i18n/t.ts'
import { Field } from '../../../ui/Field.tsx'

interface EpisodeNumbers {
  season: string
  episode: string
}
interface Props {
  episodeNumbers: EpisodeNumbers
  onChange: (numbers: EpisodeNumbers) => void
}

/** Fields for the season and episode of a file whose name does not contain them. */
export function EpisodeFields({ episodeNumbers, onChange }: Props) {
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field
        label={t('dashboardlibrary:seasonNumber')}
        inputMode="numeric"
        value={episodeNumbers.season}
        maxLength={4}
        onChange={(event) => onChange({ ...episodeNumbers, season: event.target.value })}
      />
      <Field
        label={t('dashboardlibrary:episodeNumber')}
        inputMode="numeric"
        value={episodeNumbers.episode}
        maxLength={5}
        onChange={(event) => onChange({ ...episodeNumbers, episode: event.target.value })}
      />
    </div>
  )
}
