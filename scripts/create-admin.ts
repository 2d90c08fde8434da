import { insertAccount, selectAccountByEmail, updateAccount } from '../server/queries/account.ts'
import { buildAccount } from '../server/services/accounts/accounts.ts'
import { command } from './command.ts'

await command({
  help: 'npm run create-admin -- --email E --password P: opens an administrator’s account, or makes an existing one an administrator with this password.',
  options: ['email', 'password'],
  run: async (deps, { email, password }) => {
    if (!email || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('--email must be an e-mail address.')
    if (!password)
      throw new Error(
        '--password is needed: at least 8 characters, a number, a lowercase and an uppercase letter.',
      )
    const address = email.trim().toLowerCase()
    const account = await buildAccount(deps, { email: address, password, role: 'admin' }).catch(() => {
      throw new Error(
        '--password needs at least 8 characters, a number, a lowercase and an uppercase letter.',
      )
    })
    const known = await selectAccountByEmail(deps.database.primary, address)
    if (known) {
      await updateAccount(deps.database.primary, known.account_id, {
        role: 'admin',
        blocked: 0,
        password_hash: account.password_hash,
      })
      return `${address} is an administrator now.`
    }
    await insertAccount(deps.database.primary, account)
    return `${address} can sign in.`
  },
})
