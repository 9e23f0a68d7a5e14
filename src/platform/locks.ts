/** A lock that one program of several holds. */
export interface ProgramLock {
  readonly isHeld: boolean;
  /** Takes the lock if nobody has it, or if whoever had it is gone. Asked again and again, it notices the latter. */
  tryAcquire(): Promise<boolean>;
  /** Whether the lock is still ours: where a program may be stopped for long, another one may have taken it. */
  confirm(): Promise<boolean>;
  release(): Promise<void>;
}
