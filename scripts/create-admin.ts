import { insertAccount, selectAccountByEmail, updateAccount } from '../server/queries/account.ts'
import { buildAccount } from '../server/services/accounts/accounts.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  help: 'npm run create-admin -- --email EMAIL --password PASSWORD: creates an administrator account. An existing account becomes an administrator with this password.',
  options: ['email', 'password'],
  run: async (deps, { email, password }) => {
    if (!email || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('--email must be an email address.')
    if (!password)
      throw new Error(
        '--password is required: at least 8 characters, a number, a lowercase and an uppercase letter.',
      )
    const normalisedEmail = email.trim().toLowerCase()
    const account = await buildAccount(deps, { email: normalisedEmail, password, role: 'admin' }).catch(
      () => {
        throw new Error(
          '--password needs at least 8 characters, a number, a lowercase and an uppercase letter.',
        )
      },
    )
    const existing = await selectAccountByEmail(deps.database.primary, normalisedEmail)
    if (existing) {
      await updateAccount(deps.database.primary, existing.account_id, {
        role: 'admin',
        blocked: 0,
        password_hash: account.password_hash,
      })
      return `${normalisedEmail} is an administrator now.`
    }
    await insertAccount(deps.database.primary, account)
    return `Created the administrator ${normalisedEmail}.`
  },
})
