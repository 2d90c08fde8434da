/**
 * The order of test files: in each project, the files that mostly wait start first. Otherwise, such a file could run
 * alone at the end.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small test files that take several seconds. Without earlier results, Vitest would start the smallest files last. */
const WAITING_FILES_PATTERN =
  /\/tests\/(?:scale\/(?:move-database|processes|replica|workers)|server\/(?:faults\/(?:foreign-lock|kill)|startup-errors))\.test\.ts$/
const isWaitingFile = ({ moduleId }: TestSpecification) => WAITING_FILES_PATTERN.test(moduleId)

export class WaitingFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const filesByProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...filesByProject.values()].flatMap((projectFiles) => [
      ...projectFiles.filter(isWaitingFile),
      ...projectFiles.filter((file) => !isWaitingFile(file)),
    ])
  }
}
