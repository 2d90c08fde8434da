/** Texts that the server stores encrypted: this version must decrypt what earlier versions have encrypted. */
import { expect, it } from 'vitest'
import { deriveKeys } from '../../server/providers/keys.ts'
import { openSealedText, sealText } from '../../server/services/auth/sealed-text.ts'
import { decryptText, encryptText } from '../../server/services/auth/secret.ts'

const keys = { ...deriveKeys('secret of a test'), pepper: 'pepper of a test' }
const context = { purpose: 'totp', owner: 'account' }
const EARLIER_SEALED_TEXT = 'swor2GJCeh7CWFHfcQlg-8DNIStK7GcRboOl-4pebbyNH_tmpvSnIF4'
const EARLIER_ENCRYPTED_TEXT = 'Eh1rUAp0L-LrTSSuXNocYUDF9PeYDwJOLliWYQT31CG4RqqA4CAgSs869XQ'

it('the server decrypts texts that an earlier version of the server has encrypted', () => {
  expect(openSealedText(keys, EARLIER_SEALED_TEXT)).toBe('tmdb-token é')
  expect(decryptText(keys.pepper, context, EARLIER_ENCRYPTED_TEXT)).toBe('JBSWY3DPEHPK3PXP')
})

it('a text can be decrypted only with the keys, purpose and owner with which it was encrypted', () => {
  const sealedText = sealText(keys, 'text')
  expect(openSealedText(keys, sealedText)).toBe('text')
  expect(openSealedText({ ...keys, pepper: 'another' }, sealedText)).toBeNull()
  const encryptedText = encryptText(keys.pepper, context, 'text')
  expect(decryptText(keys.pepper, context, encryptedText)).toBe('text')
  expect(decryptText('another', context, encryptedText)).toBeNull()
  expect(decryptText(keys.pepper, { ...context, owner: 'other' }, encryptedText)).toBeNull()
  expect(decryptText(keys.pepper, { ...context, purpose: 'other' }, encryptedText)).toBeNull()
})

it.each([0, 11, 12, 20, 28, -1])(
  'decryption returns null for a text whose byte %i was changed or that ends before this byte',
  (position) => {
    for (const [text, openText] of [
      [EARLIER_SEALED_TEXT, (changedText: string) => openSealedText(keys, changedText)],
      [EARLIER_ENCRYPTED_TEXT, (changedText: string) => decryptText(keys.pepper, context, changedText)],
    ] as const) {
      const bytes = Buffer.from(text, 'base64url')
      const truncatedText = bytes.subarray(0, position).toString('base64url')
      const index = position < 0 ? bytes.length + position : position
      bytes[index] = (bytes[index] ?? 0) ^ 1
      expect([openText(bytes.toString('base64url')), openText(truncatedText)]).toEqual([null, null])
    }
  },
)
