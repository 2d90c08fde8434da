/** Numbers rows as they are read, and counts them: looking at an import never counts two hundred thousand rows. */
import { type Group, type ImportedRow, shownAs } from '../../queries/history-import-row.ts'
import type { Decided } from './decide.ts'

/** Names that are told, at most. */
const OWNERS = 50

export class Tally {
  readonly #importId: string
  #n = 0
  readonly #outcomes = new Map<string, number>()
  readonly #owners = new Map<string, number>()
  readonly #files = new Map<number, number>()
  #groups = new Map<string, Group>()

  constructor(importId: string) {
    this.#importId = importId
  }

  number(row: Decided, file: number): ImportedRow {
    this.#n += 1
    this.#files.set(file, this.rowsOf(file) + 1)
    this.#outcomes.set(row.outcome, (this.#outcomes.get(row.outcome) ?? 0) + 1)
    if (row.owner) this.#owners.set(row.owner, (this.#owners.get(row.owner) ?? 0) + 1)
    const { row_key } = row
    const outcome = shownAs(row.outcome)
    const titleId = row.title_id ?? 0
    const name = `${outcome} ${titleId} ${row_key}`
    const group = this.#groups.get(name)
    if (group) group.count += 1
    else {
      const first = {
        import_id: this.#importId,
        outcome,
        row_key,
        title_id: titleId,
        first: this.#n,
        count: 1,
      }
      this.#groups.set(name, first)
    }
    return { import_id: this.#importId, n: this.#n, file, ...row }
  }

  rowsOf(file: number): number {
    return this.#files.get(file) ?? 0
  }

  /** Since it was asked last. */
  takeGroups(): Group[] {
    const groups = [...this.#groups.values()]
    this.#groups = new Map()
    return groups
  }

  /** As the run keeps them: JSON. */
  told(): { counts: string; owners: string } {
    const owners = [...this.#owners].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, OWNERS)
    return {
      counts: JSON.stringify(Object.fromEntries(this.#outcomes)),
      owners: JSON.stringify(owners.map(([name, count]) => ({ name, count }))),
    }
  }
}
