import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './limits.ts'

export type PasswordError = 'too_short' | 'too_long' | 'no_number' | 'no_lowercase' | 'no_uppercase'
export type PasswordStrength = 'empty' | 'weak' | 'medium' | 'strong'

/** Returns the rules that a password violates: 8 to 256 characters, a digit, a lowercase and an uppercase letter. */
export function validatePassword(password: string): PasswordError[] {
  const characterCount = [...password].length
  const errors: PasswordError[] = []
  if (characterCount < PASSWORD_MIN_LENGTH) errors.push('too_short')
  if (characterCount > PASSWORD_MAX_LENGTH) errors.push('too_long')
  if (!/\p{Nd}/u.test(password)) errors.push('no_number')
  if (!/\p{Ll}/u.test(password)) errors.push('no_lowercase')
  if (!/\p{Lu}/u.test(password)) errors.push('no_uppercase')
  return errors
}

/**
 * Rates a password: `empty` without characters; `weak` when it is invalid; `strong` with at least 16 characters, or
 * with at least 12 characters of which one is neither a letter nor a digit; else `medium`.
 */
export function ratePasswordStrength(password: string): PasswordStrength {
  if (password === '') return 'empty'
  if (validatePassword(password).length > 0) return 'weak'
  const characterCount = [...password].length
  return characterCount >= 16 || (characterCount >= 12 && /[^\p{L}\p{N}]/u.test(password))
    ? 'strong'
    : 'medium'
}
