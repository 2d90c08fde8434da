import { useId } from 'react'
import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'
import { getTextDirection, LOCALE_NAMES, LOCALES } from '../../../lib/i18n/locales.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { MOVIE_GENRE_IDS, TV_GENRE_IDS } from '../../../lib/rules/genres.ts'
import type { TitleField } from '../../../lib/rules/title-fields.ts'
import { AGE_RATINGS } from '../../../lib/rules/title-options.ts'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { ImportedValueButton } from './ImportedValueButton.tsx'
import {
  getSavedText,
  hasInvalidTmdbId,
  type TextDraftField,
  type TitleDraft,
  TMDB_ID_RANGE,
} from './title-draft.ts'

interface Props {
  title: AdminTitle
  draft: TitleDraft
  onChange: (draft: TitleDraft) => void
  /** Resets a field to the value of the import. */
  onUndo: (field: TitleField) => void
}

/** Fields for texts, age rating, genres, trailer and ids of a title. */
export function TitleFields({ title, draft, onChange, onUndo }: Props) {
  const getText = (field: TextDraftField) => draft[field] ?? getSavedText(title, field)
  const setText = (field: TextDraftField, text: string) => onChange({ ...draft, [field]: text })
  const renderUndoButton = (field: TitleField, label: string) => (
    <ImportedValueButton title={title} field={field} label={label} onUndo={onUndo} />
  )
  const renderField = (
    field: TextDraftField,
    label: string,
    inputMode: 'text' | 'url' | 'numeric' = 'text',
    error: string | null = null,
  ) => (
    <Field
      key={field}
      label={label}
      value={getText(field)}
      {...(inputMode !== 'text' && { dir: 'ltr' as const })}
      inputMode={inputMode}
      maxLength={500}
      onChange={(event) => setText(field, event.target.value)}
      hint={renderUndoButton(field, label)}
      error={error}
    />
  )
  const tmdbIdError = hasInvalidTmdbId(draft)
    ? t('dashboardsystem:between', {
        min: formatNumber(TMDB_ID_RANGE.min),
        max: formatNumber(TMDB_ID_RANGE.max),
      })
    : null
  return (
    <div className="flex flex-col gap-5">
      {LOCALES.map((locale) => {
        const language = LOCALE_NAMES[locale]
        const overviewLabel = t('dashboardlibrary:fieldOverview', { language })
        return (
          <div key={locale} className="flex flex-col gap-3">
            {renderField(`title_${locale}`, t('dashboardlibrary:fieldTitle', { language }))}
            <TextArea
              label={overviewLabel}
              dir={getTextDirection(locale)}
              value={getText(`overview_${locale}`)}
              onChange={(text) => setText(`overview_${locale}`, text)}
            />
            {renderUndoButton(`overview_${locale}`, overviewLabel)}
          </div>
        )
      })}
      <GenreChoice title={title} draft={draft} onChange={onChange} />
      {renderUndoButton('genres', t('dashboardlibrary:fieldGenres'))}
      <Select
        label={t('dashboardlibrary:fieldRated')}
        value={getText('rated')}
        options={[
          { value: '', label: t('dashboardlibrary:noRating') },
          ...AGE_RATINGS.map((value) => ({ value: value as string, label: value })),
        ]}
        onChange={(value) => setText('rated', value)}
      />
      <p className="-mt-3 text-sm text-muted">{t('dashboardlibrary:ratedHint')}</p>
      {renderUndoButton('rated', t('dashboardlibrary:fieldRated'))}
      {renderField('trailer', t('dashboardlibrary:fieldTrailer'), 'url')}
      {renderField('imdb_id', t('dashboardlibrary:fieldImdb'), 'url')}
      {renderField('tmdb_id', t('dashboardlibrary:fieldTmdb'), 'numeric', tmdbIdError)}
    </div>
  )
}

function GenreChoice({ title, draft, onChange }: Omit<Props, 'onUndo'>) {
  const selectedGenres = new Set(draft.genres ?? title.genres)
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-muted">{t('dashboardlibrary:fieldGenres')}</legend>
      <div className="flex flex-wrap gap-2">
        {(title.type === 'movie' ? MOVIE_GENRE_IDS : TV_GENRE_IDS).map((id) => (
          <button
            key={id}
            type="button"
            aria-pressed={selectedGenres.has(id)}
            onClick={() =>
              onChange({ ...draft, genres: [...selectedGenres.symmetricDifference(new Set([id]))] })
            }
            className="min-h-9 rounded-full border border-line px-3 text-sm text-muted hover:text-ink aria-pressed:border-ink aria-pressed:bg-ink/10 aria-pressed:font-semibold aria-pressed:text-ink pointer-coarse:min-h-11"
          >
            {t(`genres:${id}`)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

interface TextAreaProps {
  label: string
  dir: 'ltr' | 'rtl'
  value: string
  onChange: (text: string) => void
}

function TextArea({ label, dir, value, onChange }: TextAreaProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-muted">
        {label}
      </label>
      <textarea
        id={id}
        dir={value ? 'auto' : dir}
        rows={3}
        maxLength={20_000}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="w-full rounded-md border border-line bg-ground px-4 py-3 text-base text-ink focus:border-accent"
      />
    </div>
  )
}
