-- CreateTable
CREATE TABLE "activity" (
    "dimension" TEXT NOT NULL,
    "span" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "logins" INTEGER NOT NULL,
    "signups" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "people" BYTEA,

    CONSTRAINT "activity_pkey" PRIMARY KEY ("dimension","span","tenant_id","at","key")
);

-- CreateIndex
CREATE INDEX "activity_at_idx" ON "activity"("at");
