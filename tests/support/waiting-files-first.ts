/**
 * The order of test files: in each project, the files that mostly wait start first. Otherwise, such a file could run
 * alone at the end. The longest of these files is the first file of all projects. At the start of a run, a processor
 * is idle while Vitest transforms the modules of the first files.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST_FILE_PATTERN = /\/tests\/scale\/processes\.test\.ts$/
/** Small test files that take several seconds. Without earlier results, Vitest would start the smallest files last. */
const WAITING_FILES_PATTERN =
  /\/tests\/(?:scale\/(?:move-database|replica|workers)|server\/(?:faults\/(?:foreign-lock|kill)|startup-errors))\.test\.ts$/
const isLongestFile = ({ moduleId }: TestSpecification) => LONGEST_FILE_PATTERN.test(moduleId)
const isWaitingFile = ({ moduleId }: TestSpecification) => WAITING_FILES_PATTERN.test(moduleId)

/** Moves the files that match `predicate` to the front. The order within both parts stays. */
const moveToFront = (files: TestSpecification[], predicate: (file: TestSpecification) => boolean) => [
  ...files.filter(predicate),
  ...files.filter((file) => !predicate(file)),
]

export class WaitingFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const filesByProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    const sortedFiles = [...filesByProject.values()].flatMap((projectFiles) =>
      moveToFront(projectFiles, isWaitingFile),
    )
    return moveToFront(sortedFiles, isLongestFile)
  }
}
