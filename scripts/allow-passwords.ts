import { allowPasswords } from '../server/services/auth/password-sign-in.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  help: 'npm run allow-passwords: turns sign-in with passwords on again, when no administrator can sign in with an identity provider.',
  needsDatabase: true,
  run: async (deps) => {
    await allowPasswords(deps)
    return 'Passwords are accepted at sign-in again.'
  },
})
