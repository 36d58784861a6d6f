% /// script
% [tool.rungs]
% idea = "Octave: whole arrays, read and written as bytes"
% base = "cpu_naive"
% ///
% Idea     The computation is one expression of whole arrays; what is around it are lines, and bytes at offsets of a file.
% Against  cpu_naive; pl_loop, which speaks the same lines and goes through the elements one by one.
% Expect   Reading and writing the arrays is nearly all of it: the expression itself is a loop in C++.
% Try      A loop over the elements in place of the expression.
1; % a script, not a file with one function

function x = numbers(in, where, count)
    fseek(in, where.at, SEEK_SET);
    x = fread(in, count, "single=>single");
end

function run(p, in, out)
    a = numbers(in, p.scalars.a, 1);
    n = p.arrays.z.shape(1);
    z = a * numbers(in, p.arrays.x, n) + numbers(in, p.arrays.y, n);
    fseek(out, p.arrays.z.at, SEEK_SET);
    fwrite(out, z, "single");
    fflush(out);
end

in = fopen(getenv("RUNGS_INPUTS"), "r");
out = fopen(getenv("RUNGS_OUTPUTS"), "r+");
while true
    try
        line = input("", "s"); % fgetl would wait for the first byte of the line after this one
    catch
        break; % end of file
    end
    [word, rest] = strtok(line);
    answer = "ok";
    if strcmp(word, "rungs")
        answer = ["rungs 1 GNU Octave " version];
    elseif strcmp(word, "case")
        p = jsondecode(rest);
    elseif strcmp(word, "run")
        run(p, in, out);
    end
    printf("%s\n", answer);
    fflush(stdout);
end
