# Prints what cuobjdump --dump-sass prints, without the encodings, and after each kernel how many instructions of each kind it has.
# Instructions are counted as they appear in the code, not as often as they are executed.

function count_up(op, kind) {
    kinds[kind]++
    ops[kind ":" op]++
    all++
}

function kind_of(op) {
    if (op ~ /^(LDG|LD|STG|ST|ATOMG|ATOM|RED|REDG|CCTL|LDGSTS|LDGDEPBAR|UTMALDG|UTMASTG|UBLKCP)$/)
        return "global memory"
    if (op ~ /^(LDS|STS|LDSM|STSM|ATOMS|SYNCS)$/) return "shared memory"
    if (op ~ /^(LDL|STL)$/) return "local memory (spilled registers, indexed arrays)"
    if (op ~ /^(LDC|ULDC|LDCU|S2R|S2UR|CS2R)$/) return "constants and special registers"
    if (op ~ /^(SHFL|VOTE|VOTEU|MATCH|REDUX|CREDUX)$/) return "between lanes"
    if (op ~ /^(MUFU)$/) return "special functions"
    if (op ~ /(MMA|GMMA|WARPGROUP)/) return "tensor cores"
    if (op ~ /^(FFMA|FADD|FMUL|FFMA32I|FADD32I|FMUL32I)2?$/) return "float32"
    if (op ~ /^(FSETP|FSEL|FMNMX|FMNMX3|FSET|FCHK|FSWZADD)$/)
        return "float32, comparisons and the like"
    if (op ~ /^D(FMA|ADD|MUL|SETP|MNMX)$/) return "float64"
    if (op ~ /^H(FMA2|ADD2|MUL2|SETP2|SET2|MNMX2)$/) return "float16"
    if (op ~ /^(F2F|F2I|I2F|F2FP|I2FP|I2I|FRND|F2IP)$/) return "conversions"
    if (op ~ /^(BRA|BRX|JMP|CALL|RET|EXIT|BSSY|BSYNC|BREAK|BMOV|WARPSYNC|YIELD|KILL|RPCMOV|BREV|NANOSLEEP|BPT)$/)
        return op == "BREV" ? "integers, addresses, logic" : "branches"
    if (op ~ /^(BAR|DEPBAR|MEMBAR|ERRBAR|FENCE|UCGABAR_ARV|UCGABAR_WAIT)$/) return "barriers and fences"
    if (op ~ /^(MOV|UMOV|SEL|USEL|PRMT|UPRMT|R2UR|P2R|R2P|MOV32I|R2B|B2R|UP2UR|UR2UP)$/) return "moves"
    if (op == "NOP") return "nothing (padding)"
    return "integers, addresses, logic"
}

# The operations of a kind, the most frequent first: " FFMA 32 FADD 4".
function list(kind,   line, best, o) {
    line = ""
    for (;;) {
        best = ""
        for (o in ops)
            if (index(o, kind ":") == 1 &&
                (best == "" || ops[o] > ops[best] || (ops[o] == ops[best] && o < best)))
                best = o
        if (best == "")
            return line
        line = line " " substr(best, length(kind) + 2) " " ops[best]
        delete ops[best]
    }
}

function summary(   k) {
    if (name == "")
        return
    printf "\n%s: %d instructions\n", name, all
    fflush() # before sort prints anything
    for (k in kinds)
        printf "  %5d  %s:%s\n", kinds[k], k, list(k) | "sort -k1,1nr -k2"
    close("sort -k1,1nr -k2")
    print ""
    split("", kinds)
    split("", ops)
    all = 0
}

/Function :/ {
    summary()
    name = $0
    sub(/.*Function : /, "", name)
    printf "%s\n", name
    next
}

# "        /*0010*/              @!P0 BRA `(.L_x_1) ;           /* 0x... */"
/^[ \t]*\/\*[0-9a-f]+\*\// {
    sub(/[ \t]*\/\* 0x[0-9a-f]+ \*\/[ \t]*$/, "")
    print
    text = $0
    sub(/^[ \t]*\/\*[0-9a-f]+\*\/[ \t{]*/, "", text)
    sub(/^@!?U?P[0-9T]+[ \t]+/, "", text)
    op = text
    sub(/[. \t;].*/, "", op)
    if (op != "")
        count_up(op, kind_of(op))
    next
}

/^\.L|^[ \t]*\.L_/ { print }

END { summary() }
