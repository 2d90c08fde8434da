/** Reads and writes the fields of a title record that administrators can edit. Imports also use these functions. */
import type { TitleField } from '../../src/lib/rules/title-fields.ts'
import type { TitleRecord } from './title-record.ts'

/** The part of a title record that administrators can edit. */
export type EditableRecord = Pick<
  TitleRecord,
  | 'names'
  | 'texts'
  | 'genres'
  | 'poster_path'
  | 'trailer'
  | 'imdb_id'
  | 'tmdb_id'
  | 'rated'
  | 'safe_for_kids'
  | 'parental_guide'
>
/** Value of a field as JSON data; null when the title record has no value. */
export type FieldValue = string | number | boolean | number[] | TitleRecord['parental_guide'] | null

type ColumnField = Exclude<TitleField, `${'title' | 'overview'}_${string}`>
const COLUMNS_BY_FIELD: Record<ColumnField, keyof EditableRecord> = {
  poster: 'poster_path',
  trailer: 'trailer',
  imdb_id: 'imdb_id',
  tmdb_id: 'tmdb_id',
  genres: 'genres',
  rated: 'rated',
  safe_for_kids: 'safe_for_kids',
  parental_guide: 'parental_guide',
}

/** Splits a field such as `title_fr` into its kind and language. Returns null for fields without a language. */
function parseTextField(field: TitleField): { kind: 'title' | 'overview'; lang: string } | null {
  const [, kind, lang] = /^(title|overview)_([a-z]{2})$/.exec(field) ?? []
  return kind && lang ? { kind: kind as 'title' | 'overview', lang } : null
}

export function readTitleField(record: EditableRecord, field: TitleField): FieldValue {
  const textField = parseTextField(field)
  if (textField?.kind === 'title') return findDisplayedName(record, textField.lang)?.text ?? null
  if (textField) return record.texts.find(({ lang }) => lang === textField.lang)?.overview ?? null
  return (record[COLUMNS_BY_FIELD[field as ColumnField]] as FieldValue | undefined) ?? null
}

const findDisplayedName = ({ names }: EditableRecord, lang: string) =>
  names.find((name) => name.lang === lang && name.role === 'main') ??
  names.find((name) => name.lang === lang && name.role === 'original')

/**
 * Returns a copy of the record with a new value of a field. Null removes the value. `isEdited` is true when the present
 * value is an earlier edit, and not an imported value.
 */
export function replaceTitleField<R extends EditableRecord>(
  record: R,
  field: TitleField,
  value: FieldValue,
  { isEdited = false } = {},
): R {
  const textField = parseTextField(field)
  if (textField?.kind === 'title')
    return { ...record, names: replaceName(record, textField.lang, value as string | null, isEdited) }
  if (textField) return { ...record, texts: replaceOverview(record, textField.lang, value as string | null) }
  const column = COLUMNS_BY_FIELD[field as ColumnField]
  if (value !== null) return { ...record, [column]: value }
  const { [column]: _removed, ...otherFields } = record
  return otherFields as R
}

/**
 * Replaces the name in a language, or removes it if `newName` is null. A replaced imported name becomes an additional
 * name, and so does the original title if it is in this language. Search then still finds these names, and files with
 * these names keep their title. A removed name is not kept.
 */
function replaceName(
  record: EditableRecord,
  lang: string,
  newName: string | null,
  isEdited: boolean,
): EditableRecord['names'] {
  const otherNames = record.names.flatMap((name) => {
    if (name.lang !== lang) return [name]
    if (name.text === newName) return []
    if (name.role === 'main' && (isEdited || newName === null)) return []
    return [{ ...name, role: 'aka' as const }]
  })
  return newName === null ? otherNames : [...otherNames, { lang, text: newName, role: 'main' }]
}

function replaceOverview(
  record: EditableRecord,
  lang: string,
  overview: string | null,
): EditableRecord['texts'] {
  const tagline = record.texts.find((text) => text.lang === lang)?.tagline
  const otherTexts = record.texts.filter((text) => text.lang !== lang)
  if (overview === null && tagline === undefined) return otherTexts
  return [
    ...otherTexts,
    { lang, ...(overview !== null && { overview }), ...(tagline !== undefined && { tagline }) },
  ]
}
