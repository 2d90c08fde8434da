import type { TranslationKey } from '../../lib/i18n/keys.ts'

/** Translation keys by the reason why the server rejects the name of a profile. */
export const NAME_ERROR_KEYS: Record<string, TranslationKey> = {
  empty: 'profiles:nameEmpty',
  too_long: 'profiles:nameTooLong',
  forbidden_characters: 'profiles:nameForbidden',
}
