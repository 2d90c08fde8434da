import { createAdministrator } from '../server/services/accounts/create-administrator.ts'
import { loadSignInMethods } from '../server/services/auth/password-sign-in.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  help: [
    'npm run create-admin -- --email EMAIL --password PASSWORD: creates an administrator account.',
    'With --replace-existing, an existing account with this email address becomes an administrator with this password, is unblocked, loses its second factor, passkeys, API keys and links to identity providers, and is signed out everywhere.',
  ].join('\n'),
  options: ['email', 'password'],
  flags: ['replace-existing'],
  checkArguments: ({ options: { email, password } }) => {
    if (!email || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('--email must be an email address.')
    if (!password)
      throw new Error(
        '--password is required: at least 8 characters, a number, a lowercase and an uppercase letter.',
      )
  },
  run: async (deps, { options: { email = '', password = '' }, flags }) => {
    const normalisedEmail = email.trim().toLowerCase()
    const creationResult = await createAdministrator(deps, {
      email: normalisedEmail,
      password,
      replacesExisting: flags.has('replace-existing'),
    })
    const { acceptsPasswords } = await loadSignInMethods(deps, deps.database.primary)
    const passwordHint = acceptsPasswords
      ? ''
      : ' Passwords are turned off at sign-in; npm run allow-passwords turns them on.'
    return creationResult === 'created'
      ? `Created the administrator ${normalisedEmail}.${passwordHint}`
      : `${normalisedEmail} is an administrator now, with the new password, and was signed out everywhere.${passwordHint}`
  },
})
