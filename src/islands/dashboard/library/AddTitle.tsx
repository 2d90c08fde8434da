import { type FormEvent, useState } from 'react'
import type { getLibraryFile } from '../../../lib/contract/admin-library.ts'
import type { ReplyOf } from '../../../lib/contract/endpoint.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { LOCALE_NAMES, LOCALES, type Locale } from '../../../lib/i18n/locales.ts'
import { t } from '../../../lib/i18n/t.ts'
import { parseWholeNumber } from '../../../lib/rules/number-input.ts'
import { addTitleFromFile } from '../../../lib/stores/admin/library.ts'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { SegmentedControl } from '../kit/FilterBar.tsx'
import { FormActions } from '../kit/FormActions.tsx'
import { EpisodeFields } from './EpisodeFields.tsx'
import { TmdbSearch } from './TmdbSearch.tsx'

interface Props {
  details: ReplyOf<typeof getLibraryFile>
  onClose: () => void
}
type NewTitleSource = 'tmdb' | 'form'

/**
 * Form that adds a title to the catalogue for a file. The title comes from TMDB or is entered by hand. The search
 * text, the English name and the year are prefilled from the file name.
 */
export default function AddTitle({ details, onClose }: Props) {
  const { file, folder_files: folderFileCount } = details
  const [source, setSource] = useState<NewTitleSource>(details.can_search_tmdb ? 'tmdb' : 'form')
  const [type, setType] = useState(file.type)
  const [tmdbId, setTmdbId] = useState<number | null>(null)
  const [namesByLocale, setNamesByLocale] = useState<Partial<Record<Locale, string>>>({
    en: file.parsed_title ?? '',
  })
  const [year, setYear] = useState(file.parsed_year === null ? '' : String(file.parsed_year))
  const [episodeNumbers, setEpisodeNumbers] = useState({ season: '1', episode: '' })
  const [isForFolder, setIsForFolder] = useState(folderFileCount > 1)
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const [isSubmitting, runAction] = useAction()
  const isEpisodeNeeded = details.needs_episode && type === 'tv'
  const titles = LOCALES.flatMap((locale) => {
    const titleText = namesByLocale[locale]?.trim() ?? ''
    return titleText === '' ? [] : [{ lang: locale, text: titleText }]
  })
  const yearNumber = parseWholeNumber(year)
  const isYearValid = year.trim() === '' || (yearNumber !== null && yearNumber >= 1000)
  const seasonNumber = parseWholeNumber(episodeNumbers.season)
  const episodeNumber = parseWholeNumber(episodeNumbers.episode)
  const isComplete =
    (source === 'tmdb' ? tmdbId !== null : titles.length > 0 && isYearValid) &&
    (!isEpisodeNeeded || (seasonNumber !== null && episodeNumber !== null))
  const addTitle = async () => {
    const failureKey = await addTitleFromFile(file, {
      type,
      scope: folderFileCount > 1 && isForFolder && !isEpisodeNeeded ? 'folder' : 'file',
      ...(source === 'tmdb' && tmdbId !== null
        ? { tmdb_id: tmdbId, titles: [] }
        : { titles, year: yearNumber }),
      ...(isEpisodeNeeded &&
        seasonNumber !== null &&
        episodeNumber !== null && { season: seasonNumber, episode: episodeNumber }),
    })
    if (failureKey) setErrorKey(failureKey)
    else onClose()
  }
  const submitForm = (event: FormEvent) => {
    event.preventDefault()
    void runAction(addTitle)
  }
  return (
    <form className="contents" onSubmit={submitForm}>
      {details.can_search_tmdb && (
        <div className="flex">
          <SegmentedControl
            label={t('dashboardlibrary:newTitleSource')}
            value={source}
            options={(['tmdb', 'form'] as const).map((value) => ({
              value,
              label: t(`dashboardlibrary:newTitle_${value}`),
            }))}
            onChange={setSource}
          />
        </div>
      )}
      <Select
        label={t('dashboardlibrary:type')}
        value={type}
        options={(['movie', 'tv'] as const).map((value) => ({
          value,
          label: t(`dashboardlibrary:block_${value}`),
        }))}
        onChange={(value) => {
          setType(value)
          setTmdbId(null)
        }}
      />
      {source === 'tmdb' ? (
        <TmdbSearch
          key={type}
          type={type}
          initialText={file.parsed_title ?? ''}
          selectedId={tmdbId}
          onSelect={setTmdbId}
        />
      ) : (
        <NameAndYearFields
          namesByLocale={namesByLocale}
          onNamesChange={setNamesByLocale}
          year={year}
          onYearChange={setYear}
        />
      )}
      {isEpisodeNeeded && <EpisodeFields episodeNumbers={episodeNumbers} onChange={setEpisodeNumbers} />}
      {folderFileCount > 1 && !isEpisodeNeeded && (
        <Switch
          label={t('dashboardlibrary:forFolder', { count: folderFileCount })}
          hint={t('dashboardlibrary:forFolderHint')}
          checked={isForFolder}
          onChange={setIsForFolder}
        />
      )}
      <FormActions
        errorKey={errorKey}
        isSubmitting={isSubmitting}
        isFormIncomplete={!isComplete}
        submitLabel={t('dashboardlibrary:addTitle')}
        onCancel={onClose}
      />
    </form>
  )
}

interface NameAndYearFieldsProps {
  namesByLocale: Partial<Record<Locale, string>>
  onNamesChange: (names: Partial<Record<Locale, string>>) => void
  year: string
  onYearChange: (year: string) => void
}

function NameAndYearFields({ namesByLocale, onNamesChange, year, onYearChange }: NameAndYearFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">{t('dashboardlibrary:newTitleHint')}</p>
      {LOCALES.map((locale) => (
        <Field
          key={locale}
          label={t('dashboardlibrary:fieldTitle', { language: isolateBidi(LOCALE_NAMES[locale]) })}
          lang={locale}
          value={namesByLocale[locale] ?? ''}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => onNamesChange({ ...namesByLocale, [locale]: event.target.value })}
        />
      ))}
      <Field
        label={t('dashboardlibrary:year')}
        inputMode="numeric"
        value={year}
        maxLength={4}
        autoComplete="off"
        onChange={(event) => onYearChange(event.target.value)}
      />
    </div>
  )
}
