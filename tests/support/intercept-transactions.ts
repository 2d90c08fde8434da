import type { Db } from '../../server/db/database.ts'

type RunTransaction = Parameters<ReturnType<Db['transaction']>['execute']>[0]

/** Returns a database that calls `beforeTransaction`, and waits for its result, before each transaction begins. */
export function interceptTransactions(db: Db, beforeTransaction: () => Promise<void>): Db {
  return new Proxy(db, {
    get(target, propertyName) {
      if (propertyName === 'transaction')
        return () => ({
          execute: async (runTransaction: RunTransaction) => {
            await beforeTransaction()
            return target.transaction().execute(runTransaction)
          },
        })
      const propertyValue = Reflect.get(target, propertyName) as unknown
      return typeof propertyValue === 'function' ? propertyValue.bind(target) : propertyValue
    },
  })
}
