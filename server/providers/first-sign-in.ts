/**
 * `first-sign-in.txt` in the data folder contains the generated password of the first account. It exists until that
 * password is changed.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completePartialFile, getPartialPath } from '../core/partial-file.ts'

export const FIRST_SIGN_IN_FILE = 'first-sign-in.txt'
/** Matches the first line of the file. Earlier versions wrote the label `E-mail`. */
const EMAIL_PATTERN = /^E-?mail: (.+)\n/i

/** Writes the file (mode 0600) and flushes it to disk. Replaces an older file. */
export function writeFirstSignInFile(
  dataDir: string,
  { email, password, pin }: { email: string; password: string; pin?: string | null },
): void {
  const fileText = `Email: ${email}\nPassword: ${password}${pin ? `\nPIN of Robin: ${pin}` : ''}\n`
  const filePath = join(dataDir, FIRST_SIGN_IN_FILE)
  const partialPath = getPartialPath(filePath)
  try {
    writeFileSync(partialPath, fileText, { mode: 0o600 })
    completePartialFile(partialPath, filePath)
  } finally {
    rmSync(partialPath, { force: true })
  }
}

/** Returns the email address and the password of the file; null without a complete file. */
export function readFirstSignInFile(dataDir: string): { email: string; password: string } | null {
  const filePath = join(dataDir, FIRST_SIGN_IN_FILE)
  if (!existsSync(filePath)) return null
  const fileText = readFileSync(filePath, 'utf8')
  const email = EMAIL_PATTERN.exec(fileText)?.[1]
  const password = /\nPassword: (.+)\n/.exec(fileText)?.[1]
  return email && password ? { email, password } : null
}

/**
 * Deletes the file if it belongs to the account with this email. Call it after that account has changed its password.
 */
export function deleteFirstSignInFile(dataDir: string, email: string): void {
  const filePath = join(dataDir, FIRST_SIGN_IN_FILE)
  if (existsSync(filePath) && EMAIL_PATTERN.exec(readFileSync(filePath, 'utf8'))?.[1] === email)
    rmSync(filePath)
}
