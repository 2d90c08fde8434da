/**
 * The credits of all people in memory, so that a search need not read the titles of each person from the database. A
 * credit takes five bytes, and a person four bytes.
 */

import { growArray, resizeArray } from '../core/grow-array.ts'

/** Maximum number of different jobs that are counted, so that a job code fits into one byte. */
const MAX_JOB_NAMES = 254

export interface PersonCredit {
  person_id: number
  title_id: number
  job: string
}

export class PersonCredits {
  /** Index of the first credit of each person id. The last entry is the number of all credits. */
  readonly #starts: Uint32Array
  readonly #titleIds: Uint32Array
  /** Job code of each credit: the index in `#jobNames` plus one. Jobs that are not counted have code 0. */
  readonly #jobs: Uint8Array
  readonly #jobNames: readonly string[]

  constructor(starts: Uint32Array, titleIds: Uint32Array, jobs: Uint8Array, jobNames: readonly string[]) {
    this.#starts = starts
    this.#titleIds = titleIds
    this.#jobs = jobs
    this.#jobNames = jobNames
  }

  /** True when the person has a credit in a title for which `isVisible` is true. */
  hasTitle(personId: number, isVisible: (titleId: number) => boolean): boolean {
    const endIndex = this.#starts[personId + 1] ?? 0
    for (let index = this.#starts[personId] ?? 0; index < endIndex; index++)
      if (isVisible(this.#titleIds[index] as number)) return true
    return false
  }

  /**
   * Returns, for each job of the person, the number of titles for which `isVisible` is true. Several credits with the
   * same job in one title count once. Jobs without a visible title are left out.
   */
  countTitlesByJob(
    personId: number,
    isVisible: (titleId: number) => boolean,
  ): { job: string; titles: number }[] {
    const titleCountByJobCode = new Uint32Array(MAX_JOB_NAMES + 1)
    const endIndex = this.#starts[personId + 1] ?? 0
    let previousTitleId = 0
    let previousJobCode = 0
    for (let index = this.#starts[personId] ?? 0; index < endIndex; index++) {
      const titleId = this.#titleIds[index] as number
      const jobCode = this.#jobs[index] as number
      const isRepeated = titleId === previousTitleId && jobCode === previousJobCode
      previousTitleId = titleId
      previousJobCode = jobCode
      if (!isRepeated && isVisible(titleId))
        titleCountByJobCode[jobCode] = (titleCountByJobCode[jobCode] as number) + 1
    }
    return this.#jobNames.flatMap((jobName, index) => {
      const titleCount = titleCountByJobCode[index + 1] as number
      return titleCount > 0 ? [{ job: jobName, titles: titleCount }] : []
    })
  }
}

/**
 * Builds `PersonCredits` from credits in order of person, title and job. Only jobs for which `isCountedJob` is true
 * are counted.
 */
export class PersonCreditsBuilder {
  #starts = new Uint32Array(1_024)
  #titleIds = new Uint32Array(4_096)
  #jobs = new Uint8Array(4_096)
  readonly #jobCodes = new Map<string, number>()
  readonly #isCountedJob: (job: string) => boolean
  #count = 0
  #lastPersonId = 0

  constructor(isCountedJob: (job: string) => boolean) {
    this.#isCountedJob = isCountedJob
  }

  add({ person_id: personId, title_id, job }: PersonCredit): void {
    if (this.#count === this.#titleIds.length) {
      this.#titleIds = growArray(this.#titleIds, this.#count + 1)
      this.#jobs = growArray(this.#jobs, this.#count + 1)
    }
    this.#startPerson(personId)
    this.#titleIds[this.#count] = title_id
    this.#jobs[this.#count] = this.#getJobCode(job)
    this.#count += 1
  }

  finish(): PersonCredits {
    this.#startPerson(this.#lastPersonId + 1)
    return new PersonCredits(
      resizeArray(this.#starts, this.#lastPersonId + 1),
      resizeArray(this.#titleIds, this.#count),
      resizeArray(this.#jobs, this.#count),
      [...this.#jobCodes.keys()],
    )
  }

  /** Starts the credits of a person. People with ids between the previous person and this person have no credits. */
  #startPerson(personId: number): void {
    if (personId >= this.#starts.length) this.#starts = growArray(this.#starts, personId + 1)
    this.#starts.fill(this.#count, this.#lastPersonId + 1, personId + 1)
    this.#lastPersonId = personId
  }

  #getJobCode(job: string): number {
    const existingCode = this.#jobCodes.get(job)
    if (existingCode !== undefined) return existingCode
    if (this.#jobCodes.size >= MAX_JOB_NAMES || !this.#isCountedJob(job)) return 0
    const code = this.#jobCodes.size + 1
    this.#jobCodes.set(job, code)
    return code
  }
}
