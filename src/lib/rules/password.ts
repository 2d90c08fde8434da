import { LIMITS } from './limits.ts'

export type PasswordError = 'too_short' | 'too_long' | 'no_number' | 'no_lowercase' | 'no_uppercase'
export type PasswordStrength = 'empty' | 'weak' | 'medium' | 'strong'

/** What a password lacks (Spec §5): at least 8 characters, a number, a lowercase and an uppercase letter. */
export function passwordErrors(password: string): PasswordError[] {
  const length = [...password].length
  const errors: PasswordError[] = []
  if (length < LIMITS.passwordMin) errors.push('too_short')
  if (length > LIMITS.passwordMax) errors.push('too_long')
  if (!/\p{Nd}/u.test(password)) errors.push('no_number')
  if (!/\p{Ll}/u.test(password)) errors.push('no_lowercase')
  if (!/\p{Lu}/u.test(password)) errors.push('no_uppercase')
  return errors
}

/** Weak until the rule is met, strong from 12 characters with a sign that is neither letter nor digit, or from 16. */
export function passwordStrength(password: string): PasswordStrength {
  if (password === '') return 'empty'
  if (passwordErrors(password).length > 0) return 'weak'
  const length = [...password].length
  return length >= 16 || (length >= 12 && /[^\p{L}\p{N}]/u.test(password)) ? 'strong' : 'medium'
}
